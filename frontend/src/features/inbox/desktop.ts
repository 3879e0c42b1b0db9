import { create } from "zustand";
import { desktopNotice } from "@/ui";

const read = (): NotificationPermission =>
  typeof Notification === "undefined" || !isSecureContext ? "denied" : Notification.permission;
const usePermission = create<{ permission: NotificationPermission }>()(() => ({ permission: read() }));

/** True while the person has not said yet whether the desktop may tell them. */
export const useMayAsk = () => usePermission((s) => s.permission === "default");

/** Asked on a click only, beside a question that shows what it is for. */
export async function askPermission(): Promise<void> {
  usePermission.setState({ permission: await Notification.requestPermission() });
}

/** Tells it on the desktop while the page is not looked at. Who and what for, not what it is about: others may see the screen. */
export function tellDesktop(title: string, body: string, tag: string, open: () => void): boolean {
  if (read() !== "granted" || (document.visibilityState === "visible" && document.hasFocus())) return false;
  return desktopNotice(title, { body, tag }, open);
}
