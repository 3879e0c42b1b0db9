import { afterEach, expect, it, vi } from "vitest";
import { onHub, takeNotify } from "./hub";

afterEach(() => {
  vi.unstubAllGlobals();
});

it("a listener that throws reaches no other, and its fault is reported", () => {
  const reported = vi.fn(),
    heard = vi.fn();
  vi.stubGlobal("reportError", reported);
  const offs = [
    onHub({
      notify: () => {
        throw new Error("broken");
      },
    }),
    onHub({ notify: heard }),
  ];
  takeNotify({ seq: 1 });
  expect(heard).toHaveBeenCalledOnce();
  expect(reported).toHaveBeenCalledOnce();
  for (const off of offs) off();
});
