// @vitest-environment happy-dom
import { notifyManager } from "@tanstack/react-query";
import { act, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ApiError } from "../api/error";
import { useRead, useReadPages, type Read, type ReadPages } from "./read";

notifyManager.setScheduler(queueMicrotask); // so that act() waits for what it tells
beforeEach(() => vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true));
let over = () => {};
afterEach(() => {
  over();
  vi.unstubAllGlobals();
});

/** Does something, and waits for what comes of it. */
const doing = (run: () => void) =>
  act(() => {
    run();
    return Promise.resolve();
  });

/** Shows a component, and again with other properties; what it had read last is `last()`. */
function shows<P, R>(use: (p: P) => R) {
  const root = createRoot(document.createElement("div"));
  let got: R | undefined;
  function Shown({ p }: { p: P }): ReactNode {
    got = use(p);
    return null;
  }
  over = () => act(() => root.unmount());
  return { with: (p: P) => doing(() => root.render(<Shown p={p} />)), last: () => got!, end: over };
}

/** Answers that a test gives when it likes, in the order they were asked for. */
function asked<T>() {
  const open: { give: (v: T) => void; refuse: (e: unknown) => void; signal: AbortSignal }[] = [];
  return {
    open,
    read: (signal: AbortSignal) => new Promise<T>((give, refuse) => void open.push({ give, refuse, signal })),
    give: (i: number, v: T) => doing(() => open[i]!.give(v)),
    refuse: (i: number, e: unknown) => doing(() => open[i]!.refuse(e)),
  };
}

type One = { id: string; fact?: number; when?: boolean; keep?: boolean };
const one = (read: (signal: AbortSignal) => Promise<string>) =>
  shows(({ id, fact, when, keep }: One): Read<string> => useRead({ key: ["one", id], on: [fact], when, keep, read }));

it("shows nothing of another key, even where the answer for the first comes last", async () => {
  const hub = asked<string>(),
    view = one(hub.read);
  await view.with({ id: "a" });
  await view.with({ id: "b" });
  await hub.give(1, "B");
  await hub.give(0, "A");
  expect(view.last()).toMatchObject({ data: "B", current: true, error: undefined });
  expect(hub.open).toHaveLength(2);
});

it("shows what the previous key brought if asked to, and that it is not current", async () => {
  const hub = asked<string>(),
    view = one(hub.read);
  await view.with({ id: "a", keep: true });
  await hub.give(0, "A");
  await view.with({ id: "b", keep: true });
  expect(view.last()).toMatchObject({ data: "A", current: false });
  await view.with({ id: "b" });
  expect(view.last().data).toBeUndefined();
});

it("reads again when a fact changes, and what was read stays until then", async () => {
  const hub = asked<string>(),
    view = one(hub.read);
  await view.with({ id: "a", fact: 1 });
  await hub.give(0, "A1");
  await view.with({ id: "a", fact: 1 });
  expect(hub.open).toHaveLength(1);
  await view.with({ id: "a", fact: 2 });
  expect(hub.open).toHaveLength(2);
  expect(view.last().data).toBe("A1");
  await hub.give(1, "A2");
  expect(view.last().data).toBe("A2");
  await view.with({ id: "b", fact: 3 });
  expect(hub.open).toHaveLength(3);
});

it("a fact that changes while it is read makes the answer on its way void", async () => {
  const hub = asked<string>(),
    view = one(hub.read);
  await view.with({ id: "a", fact: 1 });
  await hub.give(0, "A1");
  await view.with({ id: "a", fact: 2 });
  await view.with({ id: "a", fact: 3 });
  await hub.give(2, "A3");
  await hub.give(1, "A2");
  expect(view.last().data).toBe("A3");
});

it("an error is an ApiError, is not tried again unasked, and goes with the next answer", async () => {
  const hub = asked<string>(),
    view = one(hub.read);
  await view.with({ id: "a" });
  await hub.refuse(0, new TypeError("no network"));
  expect(view.last().error).toBeInstanceOf(ApiError);
  expect(hub.open).toHaveLength(1);
  await doing(() => view.last().again());
  await hub.give(1, "A");
  expect(view.last()).toMatchObject({ data: "A", error: undefined });
});

it("reads nothing while there is nothing to read, and tells who leaves", async () => {
  const hub = asked<string>(),
    view = one(hub.read);
  await view.with({ id: "a", fact: 1, when: false });
  await view.with({ id: "a", fact: 2, when: false });
  expect(hub.open).toHaveLength(0);
  expect(view.last().data).toBeUndefined();
  await view.with({ id: "a" });
  view.end();
  expect(hub.open[0]!.signal.aborted).toBe(true);
});

it("reads a list page by page, again as far as it was read, and changes it in place", async () => {
  let newest = 5;
  const read = vi.fn((last: { n: number; name: string } | undefined) => {
    const from = (last?.n ?? newest + 1) - 1,
      list = [from, from - 1].filter((n) => n > 0).map((n) => ({ n, name: "" }));
    return Promise.resolve({ list, more: from > 2 });
  });
  const view = shows(({ fact }: { fact: number }): ReadPages<{ n: number; name: string }> =>
    useReadPages({ key: ["pages"], on: [fact], read }),
  );
  const numbers = () => view.last().list.map((x) => x.n);
  await view.with({ fact: 1 });
  expect([numbers(), view.last().more]).toEqual([[5, 4], true]);
  await doing(() => view.last().older());
  expect([numbers(), view.last().more]).toEqual([[5, 4, 3, 2], true]);
  newest = 6;
  await view.with({ fact: 2 });
  expect(numbers()).toEqual([6, 5, 4, 3]);
  await doing(() => view.last().change((x) => (x.n === 4 ? { ...x, name: "four" } : x)));
  expect(view.last().list.find((x) => x.n === 4)?.name).toBe("four");
});

it("APP-1 a fact that changes while the first answer is on its way is read once more after it", async () => {
  const hub = asked<string>(),
    view = one(hub.read);
  await view.with({ id: "a", fact: 1 });
  await view.with({ id: "a", fact: 2 });
  expect(hub.open).toHaveLength(1);
  await hub.give(0, "old");
  expect(view.last()).toMatchObject({ data: "old", current: true });
  expect(hub.open).toHaveLength(2);
  await hub.give(1, "new");
  expect(view.last()).toMatchObject({ data: "new", current: true });
  await doing(view.last().again);
  await doing(view.last().again);
  expect(hub.open.map(({ signal }) => signal.aborted)).toEqual([false, false, true, false]);
  await hub.give(3, "newest");
  expect(view.last().data).toBe("newest");
});
