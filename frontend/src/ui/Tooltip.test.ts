// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { watchTips } from "./Tooltip";

let shown: Element | undefined, end: () => void;
function watch(hover: boolean): HTMLElement {
  vi.stubGlobal("matchMedia", () => ({ matches: !hover }));
  document.body.innerHTML = '<input><button data-tip="Copy"></button>';
  end = watchTips((el) => {
    shown = el;
  });
  const button = document.querySelector("button")!;
  vi.spyOn(button, "matches").mockReturnValue(true); // the focus is to be seen
  return button;
}
beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  end();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  document.body.innerHTML = "";
});

const pointer = (el: Element, type: string, pointerType: string) =>
  el.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerType }));
const rest = () => vi.advanceTimersByTime(1_000);

it("APP-1 a tip shows under a mouse that rests, and not on a screen without hover", () => {
  const button = watch(true);
  pointer(button, "pointerover", "mouse");
  rest();
  expect(shown).toBe(button);
  end();
  const touched = watch(false);
  shown = undefined;
  pointer(touched, "pointerover", "mouse");
  rest();
  expect(shown).toBeUndefined();
});

it("APP-1 what gets the focus after a tap shows no tip; after a mouse it does", () => {
  const button = watch(true);
  pointer(document.querySelector("input")!, "pointerdown", "touch");
  button.focus();
  expect(shown).toBeUndefined();
  button.blur();
  pointer(document.querySelector("input")!, "pointerover", "mouse");
  button.focus();
  expect(shown).toBe(button);
});
