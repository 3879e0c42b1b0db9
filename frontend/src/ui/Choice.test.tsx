// @vitest-environment happy-dom
import { act } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import { Checkbox, Segmented } from "./Choice";

it("APP-1 Enter on a checkbox submits its form, as it does on a browser's own; a disabled button doesn't", () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  const at = document.body.appendChild(document.createElement("div")),
    root = createRoot(at);
  const submitted = vi.fn(),
    checked = vi.fn();
  const shown = (disabled: boolean) =>
    act(() =>
      root.render(
        <form
          onSubmit={(e) => {
            e.preventDefault();
            submitted();
          }}
        >
          <Checkbox label="Lead" checked={false} onChecked={checked} />
          <button type="button">Cancel</button>
          <button type="submit" disabled={disabled}>
            Create
          </button>
        </form>,
      ),
    );
  const press = (init: KeyboardEventInit = {}) =>
    act(
      () =>
        void document
          .querySelector("[role=checkbox]")!
          .dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true, ...init })),
    );
  shown(true);
  press();
  expect(submitted).not.toHaveBeenCalled();
  shown(false);
  press({ isComposing: true });
  press({ ctrlKey: true });
  expect(submitted).not.toHaveBeenCalled();
  press();
  expect(submitted).toHaveBeenCalledOnce();
  expect(checked).not.toHaveBeenCalled();
  act(() => root.unmount());
  vi.unstubAllGlobals();
});

it("APP-1 an arrow chooses the next value of a group, and Tab back to it chooses nothing", async () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  const at = document.body.appendChild(document.createElement("div")),
    root = createRoot(at),
    chose = vi.fn();
  const options = ["auto", "light", "dark"].map((value) => ({ value, label: value }));
  act(() => root.render(<Segmented label="Theme" value="auto" options={options} onValue={chose} />));
  const [first, second] = at.querySelectorAll("button");
  const press = (key: string, init: KeyboardEventInit = {}) =>
    act(async () => {
      document.activeElement?.dispatchEvent(
        new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...init }),
      );
      await new Promise((done) => setTimeout(done));
    });
  act(() => first?.focus());
  expect(chose).not.toHaveBeenCalled();
  await press("ArrowRight");
  expect(document.activeElement).toBe(second);
  expect(chose.mock.calls).toEqual([["light"]]);
  await press("Tab");
  act(() => {
    first?.focus();
    second?.focus();
  });
  expect(chose).toHaveBeenCalledTimes(1);
  act(() => root.unmount());
});
