import { useCallback } from "react";
import { goTo, useRoute } from "@/stores/routes";

export type OpenRoom = (room: string, message?: number) => void;

/** Which room is open, and at which message: the address names them, so that Back, reload and a link work. */
export function useRoomAddress(): [room: string, open: OpenRoom, message: number | undefined] {
  const open = useCallback<OpenRoom>((room, message) => goTo("rooms", { room, message: message?.toString() }), []);
  const { room = "", message } = useRoute("rooms").params,
    id = Number(message);
  return [room, open, Number.isSafeInteger(id) && id > 0 ? id : undefined];
}
