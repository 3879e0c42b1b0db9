import type { ProviderEdit } from "@/topology";

export type NameFault = "empty" | "shape" | "taken" | "demo";
export function nameFault(name: string, taken: readonly string[]): NameFault | null {
  const n = name.trim();
  if (!n) return "empty";
  if (n === "demo") return "demo";
  if (/[/\s]/.test(n)) return "shape";
  return taken.includes(n) ? "taken" : null;
}

export type AddressFault = "addressEmpty" | "address" | "userinfo";
/** What is wrong with an address before the hub is asked; it judges again. */
export function addressFault(kind: ProviderEdit["kind"], url: string): AddressFault | null {
  if (kind === "llm-cli") return null;
  const u = url.trim();
  if (!u) return "addressEmpty";
  let parsed: URL;
  try {
    parsed = new URL(u);
  } catch {
    return "address";
  }
  if (parsed.username || parsed.password || parsed.search || parsed.hash) return "userinfo";
  return (parsed.protocol === "http:" || parsed.protocol === "https:") && parsed.hostname ? null : "address";
}

/** A name derived from the base URL: "api.example.com" becomes "example". */
export function nameFor(url: string, taken: readonly string[]): string {
  let host = "";
  try {
    host = new URL(url.trim()).hostname;
  } catch {
    /* it is no address yet */
  }
  const parts = host
    .split(".")
    .filter((p) => !["api", "www", "com", "net", "org", "ai", "io", "dev", "co", "jp", "local"].includes(p));
  const wish = /^[\d.:[\]]*$/.test(host) || !parts[0] ? "openai" : (parts.at(-1) ?? "openai");
  let name = wish;
  for (let n = 2; taken.includes(name) || name === "demo"; n++) name = `${wish}-${n}`;
  return name;
}

/** An amount of money as it is typed, also with the wide digits of an input method; undefined: it is none. */
export function amountOf(text: string): number | undefined {
  const plain = text.normalize("NFKC").trim(),
    n = Number(plain);
  return /^\d+(\.\d+)?$/.test(plain) && n <= 1_000_000 ? n : undefined;
}
