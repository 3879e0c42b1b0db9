// @vitest-environment happy-dom
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { create } from "zustand";
import { Input } from "./Input";

let root: Root;
const useOwner = create<{ value: string }>()(() => ({ value: "first" }));

/** A field whose owner keeps what is typed, tidied up. */
function Owner({ tidy = (text: string) => text }: { tidy?: (text: string) => string }) {
  const value = useOwner((s) => s.value);
  return <Input aria-label="field" value={value} onText={(text) => useOwner.setState({ value: tidy(text) })} />;
}

const field = () => document.querySelector("input")!;
const fromElsewhere = (value: string) => act(() => useOwner.setState({ value }));
function type(text: string) {
  act(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")!.set!.call(field(), text);
    field().dispatchEvent(new Event("input", { bubbles: true }));
  });
}
const show = (tidy?: (text: string) => string) => act(() => root.render(<Owner tidy={tidy} />));

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  useOwner.setState({ value: "first" });
  root = createRoot(document.body.appendChild(document.createElement("div")));
});
afterEach(() => {
  act(() => root.unmount());
  document.body.replaceChildren();
  vi.unstubAllGlobals();
});

it("APP-5 a field that has the focus shows what somebody else has saved, before and after typing", () => {
  show();
  act(() => field().focus());
  fromElsewhere("theirs");
  expect(field().value).toBe("theirs");
  type("theirs and mine");
  fromElsewhere("theirs again");
  expect(field().value).toBe("theirs again");
});

it("APP-5 what is typed isn't replaced by what its owner makes of it", () => {
  show((text) => text.trim());
  act(() => field().focus());
  type("two ");
  expect(field().value).toBe("two ");
  type("two w");
  expect(field().value).toBe("two w");
  fromElsewhere("two "); // a late echo of what was typed
  expect(field().value).toBe("two w");
});

it("APP-5 nothing replaces a text while an input method composes it", () => {
  show();
  act(() => field().focus());
  act(() => {
    field().dispatchEvent(new Event("compositionstart", { bubbles: true }));
  });
  type("に");
  fromElsewhere("theirs");
  expect(field().value).toBe("に");
});
