/**
 * In a browser the hub knows the owner by two values: a cookie, which no script reads, and the page key, which this origin keeps.
 * Browsers send the cookie to every port of a computer, and the page key to none; alone neither opens anything.
 */
const kept = "agentflow.pageKey";

export const pageKeyHeader = "AgentFlow-Page-Key";

let inMemory = "",
  out = false;
const listeners = new Set<(signedOut: boolean) => void>();

/** What this page proves its login with; "" when it has none. */
export function pageKey(): string {
  try {
    return localStorage.getItem(kept) ?? inMemory;
  } catch {
    return inMemory; // the browser keeps nothing for this page
  }
}

export function keepPageKey(key: string): void {
  inMemory = key;
  try {
    if (key) localStorage.setItem(kept, key);
    else localStorage.removeItem(kept);
  } catch {
    /* it lasts as long as this page */
  }
}

/** Whether the hub has turned this page away. */
export const isSignedOut = () => out;

export function setSignedOut(now: boolean): void {
  if (out === now) return;
  out = now;
  for (const l of listeners) l(now);
}

export function onSignedOut(l: (signedOut: boolean) => void): () => void {
  listeners.add(l);
  return () => listeners.delete(l);
}

/** Another tab of this browser has signed in, or out. */
export function followOtherTabs(changed: () => void): () => void {
  const hear = (e: StorageEvent) => {
    if (e.key === kept || e.key === null) changed();
  };
  globalThis.addEventListener?.("storage", hear);
  return () => globalThis.removeEventListener?.("storage", hear);
}
