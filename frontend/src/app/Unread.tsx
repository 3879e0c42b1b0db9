import { useEffect } from "react";
import { followRooms } from "@/stores/rooms";
import { followSessions } from "@/stores/sessionNews";

/** Counts what is to be read while another screen is shown. */
export function Unread() {
  useEffect(() => {
    followRooms();
    followSessions();
  }, []);
  return null;
}
