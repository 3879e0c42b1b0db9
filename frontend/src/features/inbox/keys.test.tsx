// @vitest-environment happy-dom
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { setRead, useInbox, useSettled } from "@/stores/inbox";
import type { Question } from "@/topology";
import { answer } from "./answer";
import { useInboxKeys } from "./useInboxKeys";

vi.mock("@/i18n", () => ({ i18next: { t: (key: string) => key } }));
vi.mock("./answer", () => ({ answer: vi.fn() }));

const asked = (id: string): Question => ({
  id,
  agent: "dev",
  state: "waiting",
  askedAt: "2026-01-01T00:00:00Z",
  tool: "shell_exec",
  from: "shell",
  arguments: { command: "ls -la" },
});
const list = [asked("a"), asked("b")];

function Shown({ at }: { at: number }) {
  useSettled(list[at]!.id);
  useInboxKeys(list, list[at], true);
  return null;
}

const press = (key: string) =>
  act(() => void document.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true })));
const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms));
const answers = () => vi.mocked(answer).mock.calls.map(([q, choice]) => `${q.id} ${choice}`);

let root: ReturnType<typeof createRoot>;
const show = (at: number) => {
  act(() => root.render(<Shown at={at} />));
  setRead(list[at]!.id);
};

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.useFakeTimers();
  vi.mocked(answer).mockClear();
  useInbox.setState({ settled: undefined, read: undefined, busy: [], later: [] });
  root = createRoot(document.body.appendChild(document.createElement("div")));
});
afterEach(() => {
  act(() => root.unmount());
  vi.useRealTimers();
});

test("TR-2 a key meant for one question doesn't answer the one that takes its place", () => {
  show(0);
  pass(1_000);
  press("y");
  expect(answers()).toEqual(["a once"]);
  show(1);
  pass(300);
  press("y");
  expect(answers()).toEqual(["a once"]);
  pass(700);
  press("y");
  expect(answers()).toEqual(["a once", "b once"]);
});

test("TR-2 a key that is pressed over and over answers nothing, however long", () => {
  show(0);
  for (let i = 0; i < 25; i++) {
    pass(200);
    press(i % 2 ? "y" : "n");
  }
  expect(answers()).toEqual([]);
});
