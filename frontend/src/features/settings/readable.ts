import { isLoopback } from "@/stores/address";

/** Others can read what is sent to this address: it goes to another computer, without TLS. The hub judges again. */
export function readable(url: string): boolean {
  let u: URL;
  try {
    u = new URL(url.trim());
  } catch {
    return false;
  }
  if (u.protocol !== "http:" && u.protocol !== "ws:") return false;
  return !isLoopback(u.hostname);
}
