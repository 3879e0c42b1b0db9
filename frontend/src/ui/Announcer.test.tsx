// @vitest-environment happy-dom
import { act } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { announce, Announcer } from "./Announcer";

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("APP-4 a message leaves the live region once it was read, and a newer one has its whole time", () => {
  const at = document.createElement("div"),
    root = createRoot(at);
  act(() => root.render(<Announcer />));
  const after = (ms: number) => {
    act(() => void vi.advanceTimersByTime(ms));
    return at.textContent;
  };
  act(() => announce("Renamed Critic"));
  expect(after(4000)).toBe("Renamed Critic");
  act(() => announce("Ungrouped Group 1"));
  expect(after(4000)).toBe("Ungrouped Group 1");
  expect(after(4000)).toBe("");
  act(() => root.unmount());
});
