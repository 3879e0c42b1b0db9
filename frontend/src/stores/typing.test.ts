// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { followTeam } from "./teamNews";

let off: () => void;
beforeEach(() => {
  off = followTeam();
});
afterEach(() => off());

/** A field that saves its text when it is left. */
function field() {
  const input = document.body.appendChild(document.createElement("input")),
    left = vi.fn();
  input.addEventListener("blur", left);
  input.focus();
  return { input, left };
}
const leave = () => dispatchEvent(new Event("beforeunload"));

describe("a page that is closed", () => {
  it("saves what was typed in a field that is saved when it is left", () => {
    const { left } = field();
    leave();
    expect(left).toHaveBeenCalledOnce();
  });
  it("never takes a word that an input method is still putting together", () => {
    const { input, left } = field();
    input.dispatchEvent(new CompositionEvent("compositionstart", { bubbles: true }));
    leave();
    expect(left).not.toHaveBeenCalled();
    input.dispatchEvent(new CompositionEvent("compositionend", { bubbles: true }));
    leave();
    expect(left).toHaveBeenCalledOnce();
  });
  it("takes the next field after one that went away in the middle of a word", () => {
    const { input } = field();
    input.dispatchEvent(new CompositionEvent("compositionstart", { bubbles: true }));
    input.remove();
    const { left } = field();
    leave();
    expect(left).toHaveBeenCalledOnce();
  });
});
