import { afterEach, expect, it, vi } from "vitest";
import { groupId } from "./groups";
import { freshId } from "./freshId";
import { noteId } from "./edit";

afterEach(() => {
  vi.unstubAllGlobals();
});

it("ids are made without a secure context, where crypto.randomUUID is missing", () => {
  const { crypto } = globalThis;
  vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto) });
  expect(freshId()).toMatch(/^[0-9a-f]{32}$/);
  expect(noteId()).toMatch(/^note-[0-9a-f]{8}$/);
  expect(groupId()).not.toBe(groupId());
});
