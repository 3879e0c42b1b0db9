import { keepSocket, type LinkState } from "./socket";
import type { ChatFrame } from "./types";

/** Follows what happens in a gateway's sessions for as long as it is wanted. After each new link, histories must be read again. */
export function followChats(
  gateway: string,
  { onFrame, onLink }: { onFrame: (f: ChatFrame) => void; onLink: (s: LinkState) => void },
): { stop: () => void; retryNow: () => void } {
  const path = `/api/gateway/stream?${new URLSearchParams({ gateway }).toString()}`;
  return keepSocket(() => path, { onFrame: (f) => onFrame(f as ChatFrame), onLink });
}
