import { useCallback, useSyncExternalStore } from "react";
import { decoded } from "@/stores/address";

const screen = "rooms";

/** The address of a room within the page, or of a message in it. */
const address = (room: string, message?: number) =>
  `#/${[screen, room && encodeURIComponent(room), message].filter(Boolean).join("/")}`;

const parts = () => location.hash.replace(/^#\//, "").split("/");

function named(): string {
  const [at, room] = parts();
  return at === screen && room ? decoded(room) : "";
}

function meant(): number | undefined {
  const id = Number(parts()[2]);
  return named() && Number.isSafeInteger(id) && id > 0 ? id : undefined;
}

const subscribe = (on: () => void) => {
  addEventListener("hashchange", on);
  return () => removeEventListener("hashchange", on);
};

export type OpenRoom = (room: string, message?: number) => void;

/** Which room is open, and at which message: the address says so, so that Back, reload and a link work. */
export function useRoomAddress(): [room: string, open: OpenRoom, message: number | undefined] {
  const open = useCallback<OpenRoom>((room, message) => {
    location.hash = address(room, message);
  }, []);
  return [useSyncExternalStore(subscribe, named), open, useSyncExternalStore(subscribe, meant)];
}
