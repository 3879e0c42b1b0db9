import { describe, expect, test } from "vitest";
import { forText } from "./width";

describe("a query about width", () => {
  test("APP-1 counts in the size of text: no width belongs to two forms, or to none", () => {
    expect(forText("(max-width: 639px)", 1)).toBe("(max-width: 639.98px)");
    expect(forText("(min-width: 640px) and (max-width: 1199px)", 2)).toBe(
      "(min-width: 1280px) and (max-width: 2399.96px)",
    );
    expect(forText("(max-height: 640px)", 1.5)).toBe("(max-height: 961.47px)");
  });
  test("APP-1 leaves other queries alone", () => {
    expect(forText("(pointer: coarse)", 2)).toBe("(pointer: coarse)");
  });
});
