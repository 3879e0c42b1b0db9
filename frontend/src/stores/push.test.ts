// @vitest-environment happy-dom
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "../api/error";
import { push } from "../api/push";
import { checkPush, followPush, hindrance, readPush, testPush, turnOff, turnOn, usePush } from "./push";

const key = "BMv3QkzYw1n7xS-_";
const off = { on: false } as Awaited<ReturnType<typeof push.state>>;

/** A browser with a service worker and a push service. */
function browser({ permission = "default", answer = "granted", registers = true, subscribes = true } = {}) {
  let sub: { endpoint: string; unsubscribe: () => Promise<boolean> } | undefined, registered: object | undefined;
  const hears = new Set<(e: { data: unknown }) => void>();
  const manager = {
    getSubscription: () => Promise.resolve(sub ?? null),
    subscribe: vi.fn(() => {
      if (!subscribes) return Promise.reject(new DOMException("no push service", "AbortError"));
      sub = made("https://push.example.net/1");
      return Promise.resolve(sub);
    }),
  };
  const made = (endpoint: string) => ({
    endpoint,
    options: { applicationServerKey: new Uint8Array([4, 203]).buffer },
    toJSON: () => ({ endpoint, keys: { p256dh: "P", auth: "A" } }),
    unsubscribe: () => {
      sub = undefined;
      return Promise.resolve(true);
    },
  });
  const registration = {
    pushManager: manager,
    showNotification: vi.fn(),
    unregister: () => {
      registered = undefined;
      return Promise.resolve(true);
    },
  };
  const Fake = {
    permission,
    requestPermission: vi.fn(() => {
      Fake.permission = answer;
      return Promise.resolve(answer);
    }),
  };
  vi.stubGlobal("isSecureContext", true);
  vi.stubGlobal("PushManager", class {});
  vi.stubGlobal("Notification", Fake);
  vi.stubGlobal("navigator", {
    serviceWorker: {
      getRegistration: () => Promise.resolve(registered),
      ready: Promise.resolve(registration),
      register: vi.fn(() => {
        if (!registers) return Promise.reject(new DOMException("certificate", "SecurityError"));
        registered = registration;
        return Promise.resolve(registration);
      }),
      addEventListener: (_: string, on: (e: { data: unknown }) => void) => hears.add(on),
      removeEventListener: (_: string, on: (e: { data: unknown }) => void) => hears.delete(on),
      startMessages: () => undefined,
    },
  });
  return {
    Fake,
    subscribed: () => !!sub,
    registered: () => !!registered,
    says: (data: unknown) => hears.forEach((on) => on({ data })),
    has: (endpoint: string) => {
      registered = registration;
      sub = made(endpoint);
    },
  };
}

beforeEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  delete window.go;
  usePush.setState({
    state: "off",
    busy: false,
    testing: false,
    why: undefined,
    error: undefined,
    test: undefined,
    testError: undefined,
  });
  vi.spyOn(push, "key").mockResolvedValue({ key });
  vi.spyOn(push, "state").mockResolvedValue(off);
  vi.spyOn(push, "on").mockResolvedValue({ on: true });
  vi.spyOn(push, "off").mockResolvedValue(undefined);
});

describe("push notifications", () => {
  it("OC-5 ask for the browser's permission only when they are turned on, and then tell the hub", async () => {
    const b = browser();
    await readPush();
    await checkPush();
    expect([b.Fake.requestPermission.mock.calls.length, b.registered(), usePush.getState().state]).toEqual([
      0,
      false,
      "off",
    ]);
    expect(await turnOn()).toBe(true);
    expect(b.Fake.requestPermission).toHaveBeenCalledTimes(1);
    expect(push.on).toHaveBeenCalledWith({
      endpoint: "https://push.example.net/1",
      p256dh: "P",
      auth: "A",
      key,
      language: "en",
    });
    expect([usePush.getState().state, b.subscribed()]).toEqual(["on", true]);
    expect(await turnOff()).toBe(true);
    expect([usePush.getState().state, b.subscribed(), b.registered()]).toEqual(["off", false, false]);
  });

  it("OC-5 say why they can't be turned on, and leave nothing behind", async () => {
    const why = async (o: Parameters<typeof browser>[0]) => {
      usePush.setState({ why: undefined });
      const b = browser(o);
      const on = await turnOn();
      return [on, usePush.getState().why, b.subscribed() || b.registered()];
    };
    expect(await why({ answer: "denied" })).toEqual([false, "blocked", false]);
    expect(await why({ answer: "default" })).toEqual([false, "unanswered", false]);
    expect(await why({ registers: false })).toEqual([false, "certificate", false]);
    expect(await why({ subscribes: false })).toEqual([false, "browser", false]);
    expect(push.on).not.toHaveBeenCalled();
    const full = new ApiError({ code: "CONFLICT", message: "full", details: { reason: "push_full" } }, 409);
    vi.spyOn(push, "on").mockRejectedValue(full);
    expect(await why({})).toEqual([false, undefined, false]);
    expect(usePush.getState().error).toBe(full);
  });

  it("OC-5 know what hinders them before anything is tried", () => {
    browser({ permission: "denied" });
    expect(hindrance()).toBe("blocked");
    browser();
    expect(hindrance()).toBeUndefined();
    vi.stubGlobal("isSecureContext", false);
    expect(hindrance()).toBe("insecure");
    vi.stubGlobal("isSecureContext", true);
    vi.stubGlobal("navigator", {});
    expect(hindrance()).toBe("unsupported");
    window.go = { main: { App: {} as NonNullable<NonNullable<Window["go"]>["main"]>["App"] } };
    expect(hindrance()).toBe("window");
  });

  it("OC-5 stay off after a sign-in that ended, and follow a new address of the browser", async () => {
    const b = browser({ permission: "granted" });
    b.has("https://push.example.net/old");
    await checkPush();
    expect([usePush.getState().state, b.subscribed(), b.registered()]).toEqual(["off", false, false]);

    b.has("https://push.example.net/new");
    const state = { on: true, endpoint: "https://push.example.net/old", language: "en" as const };
    vi.spyOn(push, "state").mockResolvedValue(state);
    await checkPush();
    expect(push.on).toHaveBeenCalledWith(
      expect.objectContaining({ endpoint: "https://push.example.net/new", key: "BMs" }),
    );
    expect(usePush.getState().state).toBe("on");
  });

  it("OC-5 a test tells that the service took it, and later that it arrived", async () => {
    const b = browser({ permission: "granted" }),
      stop = followPush();
    vi.spyOn(push, "test").mockResolvedValue({ service: "push.example.net" });
    await testPush();
    expect(usePush.getState().test).toEqual({ service: "push.example.net", arrived: false });
    b.says({ push: "test" });
    expect(usePush.getState().test).toEqual({ service: "push.example.net", arrived: true });
    const gone = new ApiError({ code: "CONFLICT", message: "gone", details: { reason: "push_gone" } }, 409);
    usePush.setState({ state: "on" });
    b.has("https://push.example.net/1");
    vi.spyOn(push, "test").mockRejectedValue(gone);
    await testPush();
    expect([usePush.getState().state, usePush.getState().testError, b.subscribed()]).toEqual(["off", gone, false]);
    b.says({ push: "open", place: "#/inbox/01ABC" });
    expect(location.hash).toBe("#/inbox/01ABC");
    b.says({ push: "open", place: "https://elsewhere.example/" });
    expect(location.hash).toBe("#/inbox/01ABC");
    stop();
    b.says({ push: "open", place: "#/teams" });
    expect(location.hash).toBe("#/inbox/01ABC");
  });
});
