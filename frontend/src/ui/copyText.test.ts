import { afterEach, expect, it, vi } from "vitest";
import { copyText } from "./copyText";

afterEach(() => vi.unstubAllGlobals());

it("copies without a secure context, where there is no clipboard", async () => {
  const field = { value: "", className: "", select: vi.fn(), remove: vi.fn() };
  let works = true;
  const execCommand = vi.fn(() => works);
  vi.stubGlobal("navigator", {});
  vi.stubGlobal("HTMLElement", class {});
  vi.stubGlobal("document", {
    createElement: () => field,
    body: { append: vi.fn() },
    activeElement: null,
    execCommand,
  });
  await copyText("some text");
  expect(field.value).toBe("some text");
  expect(field.select).toHaveBeenCalledOnce();
  expect(execCommand).toHaveBeenCalledWith("copy");
  expect(field.remove).toHaveBeenCalledOnce();
  works = false;
  await expect(copyText("some text")).rejects.toThrow("did not copy");
  expect(field.remove).toHaveBeenCalledTimes(2);
});
