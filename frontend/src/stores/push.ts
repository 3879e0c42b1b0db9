import { create } from "zustand";
import { windowApp } from "../api/endpoint";
import { push } from "../api/push";
import { askPermission, showBy } from "./desktop";
import { asApiError, type ApiError } from "./faults";
import { parseRoute } from "./routes";

/** Why a browser gets no push notifications. */
export type Hindrance =
  | "window" // the desktop window notifies anyway
  | "insecure" // the page came without TLS
  | "unsupported"
  | "blocked" // the person or the browser said no
  | "unanswered" // the person closed the browser's question
  | "certificate" // the browser doesn't trust the hub
  | "browser"; // it couldn't register at its push service

type State = {
  state: "reading" | "off" | "on" | "failed";
  /** The hub's own words, where something failed. */ error?: ApiError;
  why?: Hindrance;
  busy: boolean;
  /** The service that accepted a test; later, that it arrived. */
  test?: { service: string; arrived: boolean };
  testing: boolean;
  testError?: ApiError;
};

export const usePush = create<State>()(() => ({ state: "reading", busy: false, testing: false }));
const set = usePush.setState;

const script = "/push-worker.js";
const language = (): "en" | "ja" => (document.documentElement.lang === "ja" ? "ja" : "en");

/** What hinders push notifications before anything is tried. */
export function hindrance(): Hindrance | undefined {
  if (windowApp()) return "window";
  if (!isSecureContext) return "insecure";
  if (!("serviceWorker" in navigator) || !("PushManager" in globalThis) || !("Notification" in globalThis))
    return "unsupported";
  return Notification.permission === "denied" ? "blocked" : undefined;
}

const registration = () => navigator.serviceWorker.getRegistration(script);
const subscription = async () => (await registration())?.pushManager.getSubscription();

/** The browser's side of a subscription. */
function edit(s: PushSubscription, key: string) {
  const { keys } = s.toJSON();
  return { endpoint: s.endpoint, p256dh: keys?.p256dh ?? "", auth: keys?.auth ?? "", key, language: language() };
}

const bytesOf = (base64url: string) =>
  Uint8Array.from(atob(base64url.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));

const textOf = (bytes: ArrayBuffer | null | undefined) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes ?? new ArrayBuffer())))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/=+$/, "");

/** Takes the browser's part away. What the hub has of it is the caller's. */
async function forget(): Promise<void> {
  showBy(undefined);
  const at = await registration();
  await (await at?.pushManager.getSubscription())?.unsubscribe();
  await at?.unregister();
}

/** Takes the browser's part away when the sign-in has ended; the hub's part ended with it. */
export async function forgetPush(): Promise<void> {
  if (!hindrance()) await forget();
}

/** Registers and subscribes; undefined and the reason where the browser doesn't. */
async function subscribe(key: string): Promise<PushSubscription | undefined> {
  let at: ServiceWorkerRegistration;
  try {
    await navigator.serviceWorker.register(script, { updateViaCache: "none" });
    at = await navigator.serviceWorker.ready;
  } catch (e) {
    set({ why: e instanceof DOMException && e.name === "SecurityError" ? "certificate" : "browser" });
    return undefined;
  }
  try {
    await (await at.pushManager.getSubscription())?.unsubscribe(); // it can be for another key
    return await at.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytesOf(key) });
  } catch {
    set({ why: Notification.permission === "denied" ? "blocked" : "browser" });
    await at.unregister().catch(() => undefined);
    return undefined;
  }
}

/** Turns push notifications on, and asks for the browser's permission first. True when they are on. */
export async function turnOn(): Promise<boolean> {
  set({ busy: true, error: undefined, why: undefined, test: undefined, testError: undefined });
  try {
    if (!(await askPermission())) {
      set({ why: Notification.permission === "denied" ? "blocked" : "unanswered" });
      return false;
    }
    const { key } = await push.key();
    const made = await subscribe(key);
    if (!made) return false;
    try {
      await push.on(edit(made, key));
    } catch (e) {
      await forget().catch(() => undefined); // what the hub doesn't know would never be used
      throw e;
    }
    showBy(await registration());
    set({ state: "on" });
    return true;
  } catch (e) {
    set({ error: asApiError(e) });
    return false;
  } finally {
    set({ busy: false });
  }
}

/** Turns push notifications off, at the hub first: then nothing is sent, whatever the browser does. */
export async function turnOff(): Promise<boolean> {
  set({ busy: true, error: undefined, test: undefined, testError: undefined });
  try {
    await push.off();
    set({ state: "off" });
    await forget().catch(() => undefined);
    return true;
  } catch (e) {
    set({ error: asApiError(e) });
    return false;
  } finally {
    set({ busy: false });
  }
}

/**
 * Reads whether push notifications are on, and brings the hub and the browser together: browsers change their
 * address at times, and a sign-in that ended leaves a subscription that the hub no longer knows.
 */
export async function readPush(): Promise<void> {
  const why = hindrance();
  if (why === "window" || why === "insecure" || why === "unsupported") {
    set({ state: "off", why });
    return;
  }
  try {
    const [hub, own] = await Promise.all([push.state(), subscription()]);
    if (usePush.getState().busy) return;
    if (!hub.on || !own || why) {
      if (own) await forget();
      if (hub.on) await push.off();
      set({ state: "off", why });
      return;
    }
    if (hub.endpoint !== own.endpoint || hub.language !== language())
      await push.on(edit(own, textOf(own.options.applicationServerKey)));
    showBy(await registration());
    set({ state: "on", error: undefined });
  } catch (e) {
    if (!usePush.getState().busy) set({ state: "failed", error: asApiError(e) });
  }
}

/** Reads the state where this browser has a subscription: the others need no request. */
export async function checkPush(): Promise<void> {
  if (!hindrance() && (await subscription())) await readPush();
}

/** Sends a test. The push service's answer comes first, the test itself a moment later. */
export async function testPush(): Promise<void> {
  set({ testing: true, test: undefined, testError: undefined });
  try {
    const { service } = await push.test();
    // The test can arrive before the answer does.
    set((s) => ({ test: { service, arrived: s.test?.arrived ?? false } }));
  } catch (e) {
    const testError = asApiError(e);
    set({ testError });
    const reason = testError.details?.reason;
    if (reason === "push_gone" || reason === "push_off") {
      set({ state: "off" });
      await forget().catch(() => undefined);
    }
  } finally {
    set({ testing: false });
  }
}

/** Listens to the service worker: a notification was clicked, or a test has arrived. */
export function followPush(): () => void {
  if (windowApp() || !("serviceWorker" in navigator)) return () => undefined;
  const hear = ({ data }: MessageEvent<{ push?: string; place?: string } | null>) => {
    if (data?.push === "test") set((s) => ({ test: { service: s.test?.service ?? "", arrived: true } }));
    if (data?.push === "open" && data.place && parseRoute(data.place)) location.hash = data.place;
  };
  navigator.serviceWorker.addEventListener("message", hear);
  navigator.serviceWorker.startMessages();
  return () => navigator.serviceWorker.removeEventListener("message", hear);
}
