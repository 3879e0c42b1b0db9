import { beforeEach, expect, it, vi } from "vitest";

const kept = new Map<string, string>();
beforeEach(() => {
  vi.resetModules();
  vi.stubGlobal("sessionStorage", {
    getItem: (k: string) => kept.get(k) ?? null,
    setItem: (k: string, v: string) => void kept.set(k, v),
    removeItem: (k: string) => void kept.delete(k),
  });
});

const view = { x: -80, y: 20, zoom: 1.5, width: 800, height: 600 };

it("a team is shown again where it was left, also after a reload", async () => {
  (await import("./views")).keepView("a", view);
  vi.resetModules();
  const again = await import("./views");
  expect(again.viewOf("a")).toEqual(view);
  expect(again.viewOf("b")).toBeUndefined();
  expect(again.viewIn(view, { width: 1000, height: 500 })).toEqual({ x: 20, y: -30, zoom: 1.5 });
  again.keepView("a", undefined);
  expect(again.viewOf("a")).toBeUndefined();
});

it("only the teams looked at last are remembered", async () => {
  const { keepView, viewOf } = await import("./views");
  for (let i = 0; i < 60; i++) keepView(`d${i}`, view);
  expect([viewOf("d0"), viewOf("d59")]).toEqual([undefined, view]);
});
