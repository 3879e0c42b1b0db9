import { create } from "zustand";
import { windowApp } from "../api/endpoint";

/** What the desktop shows. It says who and what for, not what it is about: others may see the screen. */
export type Notice = {
  title: string;
  body: string;
  /** A later notice with the same tag replaces this one, where the desktop can. */ tag: string;
  /** The address that a click on it shows. */ place: string;
};

/** The window needs no permission of the page: the system asks the person, or has a switch. */
const read = (): NotificationPermission => {
  if (windowApp()) return "granted";
  return typeof Notification === "undefined" || !isSecureContext ? "denied" : Notification.permission;
};
const usePermission = create<{ permission: NotificationPermission }>()(() => ({ permission: read() }));

/** True while the person has not said yet whether the desktop may tell them. */
export const useMayAsk = () => usePermission((s) => s.permission === "default");

/** Asked on a click only, where it is clear what for. False where the browser or the person says no. */
export async function askPermission(): Promise<boolean> {
  const permission = read() === "default" ? await Notification.requestPermission() : read();
  usePermission.setState({ permission });
  return permission === "granted";
}

/** Whether there are notices here at all. */
export const canNotify = () => !!windowApp() || "Notification" in globalThis;

/** Whether the desktop shows notices of this page. */
export const mayTell = () => read() === "granted";

const lookedAt = () => !document.hidden && document.hasFocus();

let worker: ServiceWorkerRegistration | undefined;

/** Shows notices by the service worker, where push notifications are on: one of both for the same thing is enough. */
export const showBy = (registration?: ServiceWorkerRegistration) => {
  worker = registration;
};

/** Shows a notice on the desktop while the page isn't looked at. False where it showed none. */
export async function tellDesktop({ title, body, tag, place }: Notice): Promise<boolean> {
  if (!mayTell() || lookedAt()) return false;
  try {
    const app = windowApp();
    if (app) {
      await app.Notify(tag, title, body, place);
      return true;
    }
    const { lang } = document.documentElement;
    if (worker) {
      await worker.showNotification(title, { body, tag, lang, data: place });
      return true;
    }
    const n = new Notification(title, { body, tag, lang });
    n.onclick = () => {
      window.focus();
      location.hash = place;
      n.close();
    };
    return true;
  } catch {
    return false; // Chrome on Android has the constructor and throws; some desktops show no notices
  }
}
