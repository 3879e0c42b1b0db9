export type NameFault = "empty" | "taken";
export function nameFault(name: string, taken: readonly string[]): NameFault | null {
  const n = name.trim();
  if (!n) return "empty";
  return taken.includes(n) ? "taken" : null;
}

export type AddressFault = "empty" | "scheme" | "http" | "userinfo" | "query" | "shape";
/** What is wrong with an address before the hub is asked; it judges again. */
export function addressFault(url: string): AddressFault | null {
  const u = url.trim();
  if (!u) return "empty";
  if (/^https?:/i.test(u)) return "http";
  if (!/^wss?:\/\//i.test(u)) return "scheme";
  let parsed: URL;
  try {
    parsed = new URL(u);
  } catch {
    return "shape";
  }
  if (parsed.username || parsed.password) return "userinfo";
  if (u.includes("?") || u.includes("#")) return "query";
  return parsed.hostname ? null : "shape";
}

/** Whether a text is a certificate's fingerprint, as AgentFlow or another program writes it. */
export const isFingerprint = (text: string) => /^(sha256:)?([0-9a-f]{2}:?){31}[0-9a-f]{2}$/i.test(text.trim());

/** Whether the server at an address shows a certificate. */
export const usesTLS = (url: string) => /^wss:/i.test(url.trim());
