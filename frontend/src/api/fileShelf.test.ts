// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from "vitest";
import { openTeamFile } from "./files";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** A browser with both pickers, in which the plain one answers with a file. */
function pickers(why: string) {
  vi.stubGlobal("showOpenFilePicker", () => Promise.reject(new DOMException("no", why)));
  vi.stubGlobal("showSaveFilePicker", () => Promise.reject(new DOMException("no", why)));
  return vi.spyOn(HTMLInputElement.prototype, "click").mockImplementation(function (this: HTMLInputElement) {
    Object.defineProperty(this, "files", { value: [new File(["agents: []"], "team.yaml")] });
    this.dispatchEvent(new Event("change"));
  });
}

it("APP-5 a file picker that can't be opened gives way to the plain one, but not one that was closed", async () => {
  const plain = pickers("SecurityError");
  expect(await openTeamFile()).toEqual({ name: "team.yaml", text: "agents: []" });
  expect(plain).toHaveBeenCalledTimes(1);
  vi.restoreAllMocks();
  const closed = pickers("AbortError");
  expect(await openTeamFile()).toBeNull();
  expect(closed).not.toHaveBeenCalled();
});
