import { expect, it } from "vitest";
import { displayName } from "./identity";

it("shows what turns the direction of a name or has no width, and leaves emoji whole", () => {
  expect(displayName({ id: "a", name: "Le\u200Bad\uFEFF" })).toBe("Le⟨U+200B⟩ad⟨U+FEFF⟩");
  expect(displayName({ id: "a", name: "Safe\u202Egpj.exe" })).toBe("Safe⟨U+202E⟩gpj.exe");
  expect(displayName({ id: "a", name: "👩\u200D💻" })).toBe("👩\u200D💻");
});
