// @vitest-environment happy-dom
import { beforeEach, expect, it, vi } from "vitest";
import { canNotify, mayTell, tellDesktop } from "./desktop";

const notice = { title: "Writer has a question", body: "It wants to use make.", tag: "q1", place: "#/inbox/q1" };
const looked = (at: boolean) => vi.spyOn(document, "hasFocus").mockReturnValue(at);

beforeEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  delete window.go;
});

it("OC-5 the window tells on the desktop, without a permission of the page, while it isn't looked at", async () => {
  const Notify = vi.fn(() => Promise.resolve());
  window.go = { main: { App: { Notify } as unknown as NonNullable<NonNullable<Window["go"]>["main"]>["App"] } };
  vi.stubGlobal("Notification", undefined);
  expect([canNotify(), mayTell()]).toEqual([true, true]);
  looked(true);
  expect(await tellDesktop(notice)).toBe(false);
  expect(Notify).not.toHaveBeenCalled();
  looked(false);
  expect(await tellDesktop(notice)).toBe(true);
  expect(Notify).toHaveBeenCalledWith("q1", "Writer has a question", "It wants to use make.", "#/inbox/q1");
});

it("OC-5 where the desktop shows no notices, the page is to tell", async () => {
  const Notify = () => Promise.reject(new Error("the desktop shows no notifications"));
  window.go = { main: { App: { Notify } as unknown as NonNullable<NonNullable<Window["go"]>["main"]>["App"] } };
  looked(false);
  expect(await tellDesktop(notice)).toBe(false);
});

it("OC-5 a browser tells once it is allowed, and a click shows the place", async () => {
  const shown: { title: string; onclick?: () => void }[] = [];
  class Fake {
    static permission = "default";
    onclick?: () => void;
    constructor(readonly title: string) {
      shown.push(this);
    }
    close = () => undefined;
  }
  vi.stubGlobal("Notification", Fake);
  vi.stubGlobal("isSecureContext", true);
  looked(false);
  expect(await tellDesktop(notice)).toBe(false);
  Fake.permission = "granted";
  expect(await tellDesktop(notice)).toBe(true);
  expect(shown.map((n) => n.title)).toEqual(["Writer has a question"]);
  shown[0]?.onclick?.();
  expect(location.hash).toBe("#/inbox/q1");
});
