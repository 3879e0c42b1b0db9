import { afterEach, expect, test, vi } from "vitest";
import { useDesk } from "./desk";
import type { Sent } from "./sessionSent";
import { askedSince } from "./sessionSince";
import { agent, clock, key, settled, talking, user } from "./sessionTestHub";

const at = (s: number) => new Date(Date.UTC(2026, 0, 1, 9, 0, s)).toISOString(),
  ms = (s: number) => Date.parse(at(s)),
  run = { runId: "run-1", text: "One, ", since: ms(20) },
  sent = (s: number, runId = "run-1"): Sent => ({ key: "k", text: "Count", at: at(s), had: [], runId });

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("GW-9 an answer that goes on after a reload counts from its message", async () => {
  vi.useFakeTimers();
  vi.setSystemTime(new Date("2026-11-21T09:00:00Z"));
  useDesk.setState({ places: {} });
  let s = await talking();
  const asked = Date.now();
  s.view.send(key, "Count to ten");
  await settled();
  s.frame({ state: "delta", runId: "run-1", text: "One, " });
  await settled(8_000);
  s.leave();
  s = await talking({ history: [user("Count to ten", clock())] });
  s.frame({ state: "delta", runId: "run-1", text: "One, two, " });
  await settled();
  expect(s.chat().run!.since).toBeGreaterThan(asked + 8_000); // when this page heard of it
  s.history = [user("Count to ten", new Date(asked).toISOString())];
  s.view.reload();
  await settled();
  expect(askedSince(s.chat().run!, s.chat(), undefined)).toBe(asked);
  s.leave();
});

test("GW-9 an answer counts from its message, also for a page that was loaded while it came", () => {
  const of = (...[c, info]: [Partial<Parameters<typeof askedSince>[1]>, Parameters<typeof askedSince>[2]?]) =>
    askedSince(run, { sent: [], messages: [], ...c }, info);
  expect(of({})).toBe(ms(20)); // nothing else is known
  expect(of({ sent: [sent(12)] })).toBe(ms(12));
  expect(of({ sent: [sent(5, "run-0")] })).toBe(ms(20));
  expect(of({ messages: [user("Count", at(12))] })).toBe(ms(12));
  // What was said before the last answer is not its message; the gateway can know better.
  const before = [user("Hello", at(1)), agent("Hi", at(2))];
  expect(of({ messages: before })).toBe(ms(20));
  expect(of({ messages: before }, { running: true, startedAt: at(13) })).toBe(ms(13));
  expect(of({ messages: before }, { running: false, startedAt: at(1) })).toBe(ms(20));
  // A clock that is ahead makes no answer begin later.
  expect(of({ messages: [user("Count", at(40))] })).toBe(ms(20));
});
