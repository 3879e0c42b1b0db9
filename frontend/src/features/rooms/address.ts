import { useCallback, useSyncExternalStore } from "react";

const screen = "rooms";

/** The address of a room within the page. */
export const roomAddress = (room: string) => `#/${screen}${room ? `/${encodeURIComponent(room)}` : ""}`;

function named(): string {
  const [at, room] = location.hash.replace(/^#\//, "").split("/");
  if (at !== screen || !room) return "";
  try { return decodeURIComponent(room); } catch { return ""; }
}

const subscribe = (on: () => void) => { addEventListener("hashchange", on); return () => removeEventListener("hashchange", on); };

/** Which room is open: the address says so, so that Back, reload and a link work. */
export function useRoomAddress(): [room: string, open: (room: string) => void] {
  return [useSyncExternalStore(subscribe, named), useCallback((room: string) => { location.hash = roomAddress(room); }, [])];
}
