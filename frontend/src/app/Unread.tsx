import { useEffect } from "react";
import { followRooms } from "@/stores/rooms";

/** Counts what is to be read while another screen is shown. */
export function Unread() {
  useEffect(followRooms, []);
  return null;
}
