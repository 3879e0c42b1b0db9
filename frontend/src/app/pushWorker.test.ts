import { beforeEach, describe, expect, it, vi } from "vitest";
import { listen, type Scope } from "./pushWorker";

type Handler = (e: object) => void;

/** What a browser offers a service worker, as far as the tests need it. */
function browser(windows: { focused?: boolean; visibilityState?: string }[] = [], userAgent = "Chrome/140") {
  const handlers = new Map<string, Handler>(),
    notices: { title: string; options: NotificationOptions & { body: string } }[] = [],
    opened: string[] = [];
  const clients = windows.map((w) => ({
    focused: false,
    visibilityState: "hidden",
    focus: vi.fn(() => Promise.resolve()),
    postMessage: vi.fn(),
    ...w,
  }));
  const scope = {
    addEventListener: (type: string, on: Handler) => handlers.set(type, on),
    skipWaiting: () => Promise.resolve(),
    navigator: { userAgent },
    registration: {
      scope: "https://hub.example.org/",
      showNotification: (title: string, options: NotificationOptions & { body: string }) => {
        const same = notices.findIndex((n) => n.options.tag === options.tag);
        notices.splice(same < 0 ? notices.length : same, 1, { title, options });
        return Promise.resolve();
      },
      getNotifications: ({ tag }: { tag: string }) =>
        Promise.resolve(
          notices.filter((n) => n.options.tag === tag).map((n) => ({ title: n.title, body: n.options.body })),
        ),
    },
    clients: {
      matchAll: () => Promise.resolve(clients),
      openWindow: (url: string) => Promise.resolve(opened.push(url)),
    },
  };
  listen(scope as unknown as Scope);
  const fire = async (type: string, e: object) => {
    let work: Promise<unknown> | undefined;
    handlers.get(type)?.({ ...e, waitUntil: (w: Promise<unknown>) => (work = w) });
    await work;
  };
  return {
    handlers,
    notices,
    opened,
    clients,
    scope,
    push: (text: string | null) => fire("push", { data: text === null ? null : { text: () => text } }),
    click: (data: unknown) => fire("notificationclick", { notification: { data, close: vi.fn() } }),
  };
}

const asked = (more: object = {}) =>
  JSON.stringify({ kind: "approval", name: "Writer", place: "#/inbox/01ABC", language: "en", ...more });

beforeEach(() => vi.restoreAllMocks());

describe("the service worker", () => {
  it("OC-5 listens to pushes and clicks: no request of the page passes through it", () => {
    expect([...browser().handlers.keys()].sort()).toEqual(["install", "notificationclick", "push"]);
  });

  it("OC-5 says who asks and for what, in the person's language", async () => {
    const b = browser();
    await b.push(asked());
    await b.push(asked({ kind: "question", place: "#/inbox/2", language: "ja" }));
    await b.push(asked({ kind: "several", name: undefined, count: 3, place: "#/inbox/3" }));
    expect(b.notices.map((n) => `${n.title} | ${n.options.body} | ${String(n.options.data)}`)).toEqual([
      "Writer has a question for you | It needs your approval. | #/inbox/01ABC",
      "「Writer」から質問があります | 回答を待っています。 | #/inbox/2",
      "3 questions for you | Open the inbox to answer. | #/inbox/3",
    ]);
    expect(b.notices[0]?.options.tag).toBe("01ABC");
  });

  it("OC-5 a push that can't be read still shows that something waits, without a number", async () => {
    const b = browser();
    for (const text of ["", "{", "null", JSON.stringify({ kind: "new kind", place: "https://elsewhere.example" })])
      await b.push(text);
    expect(new Set(b.notices.map((n) => `${n.title} | ${n.options.body} | ${String(n.options.data)}`))).toEqual(
      new Set(["AgentFlow | Open the inbox to answer. | #/inbox"]),
    );
    expect(b.notices.length).toBeGreaterThan(0);
  });

  it("OC-5 a page that is looked at shows no second notice, and Safari shows each push", async () => {
    const looked = [{ focused: true, visibilityState: "visible" }];
    const chrome = browser(looked),
      safari = browser(looked, "Mozilla/5.0 AppleWebKit/605 Version/18 Safari/605"),
      hidden = browser([{ focused: false, visibilityState: "visible" }]);
    for (const b of [chrome, safari, hidden]) await b.push(asked());
    expect([chrome, safari, hidden].map((b) => b.notices.length)).toEqual([0, 1, 1]);
  });

  it("OC-5 what the page has shown already keeps its words", async () => {
    const b = browser();
    await b.scope.registration.showNotification("Writer has a question for you", {
      body: "It wants to use shell_exec.",
      tag: "01ABC",
    });
    await b.push(asked());
    expect(b.notices.map((n) => n.options.body)).toEqual(["It wants to use shell_exec."]);
  });

  it("OC-5 a test is shown in any case, and the page hears of it", async () => {
    const b = browser([{ focused: true, visibilityState: "visible" }]);
    await b.push(JSON.stringify({ kind: "test", place: "#/inbox", language: "en" }));
    expect(b.notices.map((n) => n.title)).toEqual(["Test notification"]);
    expect(b.clients[0]?.postMessage).toHaveBeenCalledWith({ push: "test" });
  });

  it("OC-5 a click shows the request: in the page that is open, or in a new one", async () => {
    const b = browser([{}, { visibilityState: "visible" }]);
    await b.click("#/inbox/01ABC");
    expect(b.clients[1]?.postMessage).toHaveBeenCalledWith({ push: "open", place: "#/inbox/01ABC" });
    expect(b.clients[1]?.focus).toHaveBeenCalled();
    expect(b.opened).toEqual([]);
    const none = browser();
    await none.click("#/inbox/01ABC");
    expect(none.opened).toEqual(["https://hub.example.org/#/inbox/01ABC"]);
  });

  it("TR-4 F22 what comes isn't trusted: no other address, no hidden characters, and no error", async () => {
    for (const bad of [
      null,
      "no JSON",
      "null",
      "[]",
      asked({ place: "https://elsewhere.example" }),
      asked({ place: "#/\u202e" }),
    ]) {
      const b = browser();
      await b.push(bad);
      expect(b.notices[0]?.options.data).toBe("#/inbox");
      await b.click("//elsewhere.example");
      expect(b.opened).toEqual(["https://hub.example.org/#/inbox"]);
    }
    const b = browser();
    await b.push(asked({ name: "Wri\u202eter\n\n" }));
    expect(b.notices[0]?.title).not.toMatch(/[\u202e\n]/);
    await b.push(asked({ name: "$& {{name}}", place: "#/inbox/2" }));
    expect(b.notices[1]?.title).toBe("$& {{name}} has a question for you");
  });
});
