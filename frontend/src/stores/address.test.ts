import { expect, it } from "vitest";
import { decoded } from "./routes";

it("a part of the address that is written wrongly breaks nothing", () => {
  expect(decoded("a%20b")).toBe("a b");
  expect(decoded("%ZZ")).toBe("");
});
