// @vitest-environment happy-dom
import { act, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { chordOf } from "./keys";
import { shortcutIds, shortcuts, type Scope } from "./shortcuts";
import { useShortcuts, type Handlers } from "./useShortcuts";

beforeEach(() => vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true));
let over: (() => void)[] = [];
afterEach(() => {
  for (const end of over) end();
  over = [];
  document.body.innerHTML = "";
  vi.unstubAllGlobals();
});

/** Listens in a scope, and notes what was called. `answer` is what the handlers return. */
function listen<S extends Scope>(scope: S, options: Parameters<typeof useShortcuts<S>>[2] = {}, answer?: unknown) {
  const called: string[] = [];
  const ids = shortcutIds.filter((id) => "scope" in shortcuts[id] && shortcuts[id].scope === scope);
  const note = (id: string) => (n: number) => {
    called.push(`${id} ${n}`);
    return answer;
  };
  const handlers = Object.fromEntries(ids.map((id) => [id, note(id)])) as unknown as Handlers<S>;
  const root = createRoot(document.createElement("div"));
  function Listener(): ReactNode {
    useShortcuts(scope, handlers, options);
    return null;
  }
  const end = () => act(() => root.unmount());
  over.push(end);
  act(() => root.render(<Listener />));
  return { called, end };
}

const event = (key: string, init: KeyboardEventInit = {}) =>
  new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...init });

/** Presses a key where `at` is. True says that the key was taken. */
function press(key: string, init?: KeyboardEventInit, at: Element = document.body): boolean {
  const e = event(key, init);
  at.dispatchEvent(e);
  return e.defaultPrevented;
}

/** An element of the page. */
function put(html: string): Element {
  document.body.innerHTML = html;
  return document.body.firstElementChild!;
}

const ctrl = { ctrlKey: true };

describe("APP-1 useShortcuts", () => {
  it("calls the handler with the place of the chord, and takes the key", () => {
    const { called } = listen("review");
    expect([press("n"), press("P"), press("ArrowDown"), press("Enter", ctrl)]).toEqual([true, true, true, true]);
    expect(called).toEqual(["nextChange 0", "nextChange 1", "nextChange 4", "apply 0"]);
  });

  it("leaves keys of other scopes, and chords with another modifier", () => {
    const { called } = listen("inbox");
    expect([press("x"), press("j", ctrl), press("j", { altKey: true }), press("J", { shiftKey: true })]).toEqual(
      Array(4).fill(false),
    );
    expect(called).toEqual([]);
  });

  it("leaves the key where the handler did nothing", () => {
    const { called } = listen("inbox", {}, false);
    expect(press("y")).toBe(false);
    expect(called).toEqual(["allowOnce 0"]);
  });

  it("leaves keys to an input method", () => {
    const { called } = listen("everywhere");
    expect([press("k", { ...ctrl, isComposing: true }), press("k", { ...ctrl, keyCode: 229 })]).toEqual([false, false]);
    expect(called).toEqual([]);
  });

  it("leaves keys to a field, unless the row acts there too", () => {
    const { called } = listen("everywhere"),
      field = put("<input>");
    expect([press("?", {}, field), press("k", ctrl, field)]).toEqual([false, true]);
    expect(called).toEqual(["palette 0"]);
  });

  it("leaves keys after the text field that has the focus vanished, until the person does something else", () => {
    const { called } = listen("review");
    const gone = (html: string, ...keys: string[]) => {
      const field = put(html) as HTMLElement;
      field.focus();
      for (const key of keys) press(key, {}, field);
      field.remove();
    };
    gone("<textarea></textarea>", "a");
    expect([press("n"), press("p"), press("Enter", ctrl)]).toEqual([false, false, false]);
    const button = put("<button></button>") as HTMLElement;
    button.focus(); // by the page: nobody pressed anything
    expect(press("n", {}, button)).toBe(false);
    press("Tab");
    expect(press("n")).toBe(true);
    gone("<input>");
    expect(press("n")).toBe(false);
    document.body.dispatchEvent(new Event("pointerdown", { bubbles: true }));
    expect(press("n")).toBe(true);
    gone("<input>", "a", "Escape");
    expect(press("n")).toBe(true);
    gone("<input>", "a", "Enter", "b"); // its dialog closes a little later
    expect(press("n")).toBe(true);
    const undone = put("<input>") as HTMLElement;
    undone.focus();
    press("z", ctrl, undone);
    undone.remove();
    expect(press("n")).toBe(true);
    gone("<input type=checkbox>");
    expect(press("n")).toBe(true);
    const off = put("<input>") as HTMLInputElement;
    off.focus();
    off.disabled = true;
    expect(press("n")).toBe(false);
    press("Escape");
    expect(press("n")).toBe(true);
    expect(called).toEqual(Array(7).fill("nextChange 0"));
  });

  it("leaves keys while a dialog is open, unless the row or the scope acts there too", () => {
    const inbox = listen("inbox"),
      everywhere = listen("everywhere"),
      canvas = listen("canvas", { even: ["dialog"] });
    put("<div role=dialog></div>");
    expect([press("j"), press("k", ctrl), press("a")]).toEqual([false, true, true]);
    expect([inbox.called, everywhere.called, canvas.called]).toEqual([[], ["palette 0"], ["addAgent 0"]]);
  });

  it("leaves a key that a widget took, unless the row acts even so", () => {
    const { called } = listen("review"),
      widget = put("<button></button>");
    widget.addEventListener("keydown", (e) => e.preventDefault());
    press("n", {}, widget);
    press("Enter", ctrl, widget);
    expect(called).toEqual(["apply 0"]);
  });

  it("acts once for a key that is held down, where its row is marked once", () => {
    const inbox = listen("inbox"),
      review = listen("review");
    expect([press("y"), press("y", { repeat: true })]).toEqual([true, true]);
    press("p");
    press("p", { repeat: true });
    expect([inbox.called, review.called]).toEqual([["allowOnce 0"], ["nextChange 1", "nextChange 1"]]);
  });

  it("asks the scope's own condition", () => {
    const { called } = listen("inbox", { when: (_, id) => id !== "denyIt" });
    expect([press("n"), press("y")]).toEqual([false, true]);
    expect(called).toEqual(["allowOnce 0"]);
  });

  it("ends with its component", () => {
    const { called, end } = listen("inbox");
    end();
    expect(press("j")).toBe(false);
    expect(called).toEqual([]);
  });
});

it("APP-1 a key press is written as in the table of shortcuts", () => {
  const chord = (key: string, init?: KeyboardEventInit) => chordOf(event(key, init));
  const shift = { shiftKey: true },
    alt = { altKey: true };
  expect([chord("z", ctrl), chord("Z", { ...ctrl, ...shift }), chord("Z"), chord("+", shift)]).toEqual([
    "Mod+Z",
    "Mod+Shift+Z",
    "Z",
    "+",
  ]);
  expect([chord("ArrowUp", shift), chord("ArrowLeft", alt), chord("Tab", shift)]).toEqual([
    "Shift+↑",
    "Alt+←",
    "Shift+Tab",
  ]);
  expect(chord("å", { ...alt, code: "KeyA" })).toBe("Alt+A"); // as a Mac types it
  expect(chord("z", { metaKey: true })).toBe("Other+Z");
});
