import { afterEach, expect, it, vi } from "vitest";
import { panelDefaults, toggleBeside, useUi } from "./ui";

afterEach(() => {
  vi.unstubAllGlobals();
});

it.each([
  [1280, [false, true]],
  [1920, [true, true]],
])("APP-1 beside a canvas of %i px, the list closes for the routes only where both leave too little", (width, open) => {
  vi.stubGlobal("innerWidth", width);
  useUi.setState({ panels: {} });
  const shown = () =>
    ["canvas.list", "canvas.routes"].map((k) => !{ ...panelDefaults[k], ...useUi.getState().panels[k] }.folded);
  toggleBeside("canvas.list");
  expect(shown()).toEqual([true, false]);
  toggleBeside("canvas.routes");
  expect(shown()).toEqual(open);
  toggleBeside("canvas.routes");
  expect(shown()).toEqual([open[0], false]);
});
