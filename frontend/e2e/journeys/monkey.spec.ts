import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe } from "vitest";
import type { Team } from "../../src/topology/types.ts";
import { expect, test, type App } from "../app.ts";
import { everything } from "../away.ts";
import type { Hub } from "../hub.ts";
import { Watch } from "./invariants.ts";
import { Monkey, told, type Action } from "./monkey.ts";

// Ten walks with every `make test`. CONTRIBUTING.md says how to do one again, more of them, and farther.
const { env } = process;
type Walk = { seed: number; actions: Action[] };
const replayed = env.AGENTFLOW_MONKEY_REPLAY
  ? (JSON.parse(readFileSync(path.resolve(env.INIT_CWD ?? "", env.AGENTFLOW_MONKEY_REPLAY), "utf8")) as Walk)
  : undefined;
const one = replayed?.seed ?? env.AGENTFLOW_MONKEY_SEED,
  count = Number(env.AGENTFLOW_MONKEY_SEEDS ?? 10);
const seeds = one ? [Number(one)] : Array.from({ length: count }, (_, i) => i + 1);
const actions = replayed?.actions.length ?? Number(env.AGENTFLOW_MONKEY_ACTIONS ?? 150),
  checkEvery = 25;

const results = fileURLToPath(new URL("../../test-results/", import.meta.url));

/** Motion is for the phone, where it costs least: on a large screen it takes a tenth of the time. */
const variants = [
  { language: "en", reducedMotion: "reduce", viewport: { width: 1280, height: 800 } },
  { language: "ja", reducedMotion: "reduce", colorScheme: "dark", viewport: { width: 1280, height: 800 } },
  { language: "en", viewport: { width: 390, height: 844 } },
] as const;

/** The walk's hub has no model, or one that is away: the planner writes nothing. */
const modelAway = /^(400|503) POST \/api\/plans.*"reason":"(no_model|not_running)"/s;

type Kept = Pick<Team, "id" | "head" | "revision" | "topology">;
const teams = async (hub: Hub): Promise<Kept[]> => Promise.all((await hub.teams()).map(({ id }) => hub.team(id)));

/** What was there and is not any more. What a page sent as it was left may have come since. */
async function lost(hub: Hub, before: readonly Kept[]): Promise<unknown[]> {
  const after = await teams(hub),
    found: unknown[] = [];
  for (const was of before) {
    const now = after.find((t) => t.id === was.id);
    if (now?.head === was.head) {
      if (
        now.revision < was.revision ||
        (now.revision === was.revision && JSON.stringify(now.topology) !== JSON.stringify(was.topology))
      )
        found.push({ was, now });
    } else if (
      !now ||
      !(await hub.ask<{ versions: { id: string }[] }>("GET", `/api/teams/${was.id}/versions?limit=200`)).versions.some(
        (v) => v.id === was.head,
      )
    )
      found.push({ was, now });
  }
  return found;
}

/** Walks, looks at the invariants on the way, and ends with a hub that is killed and a page that is opened afresh. */
async function walk(app: App, monkey: Monkey): Promise<void> {
  const watch = Watch.start(app, modelAway);
  app.context.on("page", (p) => {
    if (p !== app.page) void p.close();
  });
  app.page.on("dialog", (d) => {
    void d.accept();
  });
  const { done } = monkey;
  for (let steps = 1; done.length < actions; steps++) {
    if (steps > 100 + 3 * actions) throw new Error("in most steps there is nothing that a pointer can reach");
    const before = done.length;
    await (replayed ? monkey.again(replayed.actions[before]!) : monkey.step());
    if (done.length > before && done.length % checkEvery === 0) expect(await watch.problems(app.page)).toEqual([]);
  }
  // What the page calls saved survives kill -9, and a page that is opened afresh shows a whole screen.
  await app.go("canvas");
  await app.page.goto("about:blank"); // a page that is left sends what it has not sent yet
  const before = await teams(app.hub);
  await app.hub.kill();
  await app.hub.restart();
  expect(await lost(app.hub, before)).toEqual([]);
  await app.page.goto(app.hub.link);
  await app.page.locator(".react-flow, .empty").first().waitFor();
  expect(await watch.problems(app.page)).toEqual([]);
  expect(app.faults()).toEqual([]);
}

/** Keeps what was done, and says how to do it again. */
function kept({ done }: Monkey, seed: number): string {
  const file = path.join(results, `monkey-${seed}.json`);
  mkdirSync(results, { recursive: true });
  writeFileSync(file, JSON.stringify({ seed, actions: done } satisfies Walk));
  const last = done.slice(-25).map(told).join("\n");
  return [
    `after ${done.length} actions of seed ${seed}, the last of them:`,
    last,
    "To repeat it:",
    `AGENTFLOW_MONKEY_REPLAY=${file} npm --prefix frontend run journeys -- e2e/journeys/monkey.spec.ts`,
  ].join("\n");
}

describe.concurrent("whatever is pressed, typed and dragged", () => {
  for (const seed of seeds)
    test(
      `APP-5 TR-5 seed ${seed}: ${actions} actions break nothing and lose nothing`,
      async ({ open }) => {
        const app = await open({
            fresh: true, // it goes back in the history
            // Nothing but this computer is reached. With a route for that, the browser would cache no file of the page.
            proxy: { server: "http://127.0.0.1:9", bypass: "127.0.0.1" },
            ...variants[seed % variants.length]!,
            ...(seed % 2 ? everything(seed % 3 === 1) : { firstRun: true }),
          }),
          monkey = new Monkey(app, seed);
        try {
          await walk(app, monkey);
        } catch (e) {
          throw new Error(`${e instanceof Error ? e.message : String(e)}\n${kept(monkey, seed)}`, { cause: e });
        }
      },
      60_000 + actions * 1_500,
    );
});
