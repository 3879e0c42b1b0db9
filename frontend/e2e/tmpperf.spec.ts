import { describe } from "vitest";
import { test, until } from "./app.ts";
import { opened } from "./routing.ts";
const n = 1000;
const entries = Object.fromEntries(Array.from({ length: n }, (_, i) => [`agent-${i}`, { name: `Agent ${i}` }]));
const chans = Array.from({ length: 50 }, (_, i) => `chan${String(i).padStart(2, "0")}`);
const bindings = Array.from({ length: 200 }, (_, i) => ({ agentId: `agent-${(i * 37) % n}`, match: { channel: chans[i < 60 ? 0 : i % 50], peer: { kind: "group", id: String(i) } } }));
describe("perf", () => {
  test("perf", async ({ open }) => {
    await opened(open, async (app) => {
      await app.page.getByRole("complementary", { name: "Routes" }).getByRole("button", { name: "Close" }).click();
      const frames = () => app.page.evaluate(async () => {
        const el = document.querySelector(".react-flow__pane")!; const t: number[] = []; let last = performance.now();
        for (let i = 0; i < 60; i++) { el.dispatchEvent(new WheelEvent("wheel", { deltaX: i % 20 < 10 ? 30 : -30, deltaY: 10, bubbles: true, cancelable: true })); await new Promise(requestAnimationFrame); const now = performance.now(); t.push(now - last); last = now; }
        t.sort((a, b) => a - b); return { p50: t[30], p95: t[57], max: t[59] };
      });
      const out: string[] = [];
      const say = (s: string, x: unknown) => out.push(s + " " + JSON.stringify(x));
      await app.page.getByRole("button", { name: /^Fit/ }).first().click(); await app.ready();
      say("far with lane", await frames());
      say("els", await app.page.evaluate(() => [document.querySelectorAll(".react-flow__node").length, document.querySelectorAll(".react-flow__edge").length, document.querySelectorAll(".edge-label").length]));
      await app.page.screenshot({ path: "/tmp/chan-perf-far.png" });
      const near = async () => { await app.page.evaluate(() => 0); for (let i = 0; i < 8; i++) await app.page.getByRole("button", { name: /^Zoom in/ }).click(); await app.ready(); };
      await near();
      say("near with lane", await frames());
      say("els", await app.page.evaluate(() => [document.querySelectorAll(".react-flow__node").length, document.querySelectorAll(".react-flow__edge").length, document.querySelectorAll(".edge-label").length]));
      await app.page.screenshot({ path: "/tmp/chan-perf-near.png" });
      const t0 = Date.now();
      await app.button("Hide channels on the canvas").click();
      await until("gone", () => app.page.locator(".lane-card").count(), (c) => c === 0);
      say("hide ms", Date.now() - t0);
      say("near without lane", await frames());
      const t1 = Date.now();
      await app.button("Show channels on the canvas").click();
      await app.page.waitForTimeout(1500); say("show ms", Date.now() - t1);
      await app.page.getByRole("button", { name: /^Fit/ }).first().click(); await app.ready();
      await app.button("Hide channels on the canvas").click(); await app.page.waitForTimeout(500);
      say("far without lane", await frames());
      const { writeFileSync } = await import("node:fs"); writeFileSync("/tmp/chan-perf.txt", out.join("\n"));
    }, { bindings, entries, channels: Object.fromEntries(chans.map((c) => [c, {}])) } as never);
  });
});
