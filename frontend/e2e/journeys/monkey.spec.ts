import { describe } from "vitest";
import { expect, test, until } from "../app.ts";
import type { Hub } from "../hub.ts";
import { Watch } from "./invariants.ts";
import { Monkey } from "./monkey.ts";

// Ten seeds with every `make test`. More on demand: AGENTFLOW_MONKEY_SEEDS=300 for the first 300, AGENTFLOW_MONKEY_SEED=17 for that one again.
const one = process.env.AGENTFLOW_MONKEY_SEED, count = Number(process.env.AGENTFLOW_MONKEY_SEEDS ?? 10);
const seeds = one ? [Number(one)] : Array.from({ length: count }, (_, i) => i + 1);
const actions = 1000, checkEvery = 25;

const variants = [
  { language: "en", viewport: { width: 1280, height: 800 } },
  { language: "ja", colorScheme: "dark", viewport: { width: 1280, height: 800 } },
  { language: "en", viewport: { width: 390, height: 844 } },
] as const;

/** Every team as the hub keeps it, once two readings agree: what was on its way has arrived by then. */
async function everything(hub: Hub): Promise<unknown> {
  const read = async () => Promise.all((await hub.drawings()).map(async ({ id }) => ({ id, topology: (await hub.drawing(id)).topology })));
  let last = "";
  return until("the teams to be at rest", read, (now) => { const was = last; last = JSON.stringify(now); return last === was; });
}

describe("whatever is pressed, typed and dragged", () => {
  for (const seed of seeds) test(`APP-5 TR-5 seed ${seed}: ${actions} actions break nothing and lose nothing`, async ({ open }) => {
    const app = await open({ ...variants[seed % variants.length]!, firstRun: seed % 2 === 0 });
    const watch = Watch.start(app), monkey = new Monkey(app, seed);
    app.context.on("page", (p) => { if (p !== app.page) void p.close(); });
    app.page.on("dialog", (d) => { void d.accept(); });
    const hubUrl = new URL(app.hub.url).host;
    await app.page.route((u) => u.host !== hubUrl && /^https?:$/.test(u.protocol), (r) => r.abort());
    const problems = async () => (await watch.problems(app.page)).map((p) => `${p}\nafter ${monkey.done.length} actions of seed ${seed}, the last of them:\n${monkey.done.slice(-25).join("\n")}`);
    for (let i = 1; i <= actions; i++) {
      await monkey.step();
      if (i % checkEvery === 0) expect(await problems()).toEqual([]);
    }
    // What the page calls saved survives kill -9, and a page that is opened afresh shows a whole screen.
    await app.go("canvas");
    await app.page.goto("about:blank"); // a page that is left sends what it has not sent yet
    const before = await everything(app.hub);
    await app.hub.kill();
    await app.hub.restart();
    expect(await everything(app.hub)).toEqual(before);
    await app.page.goto(app.hub.link);
    await app.page.locator(".react-flow, .empty").first().waitFor();
    expect(await problems()).toEqual([]);
  }, 600_000);
});
