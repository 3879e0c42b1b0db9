import { ApiError } from "../api/error";
import { updateAgents, type Team, type TeamState, type Saved, type SaveRequest, type Topology } from "../topology";
import { createTeam, type TeamHub } from "./team";

export const team = (name = "Lead", more: string[] = []): Topology => ({
  agents: [{ id: "lead", name }, ...more.map((id) => ({ id }))],
});
export const state = (head: string): TeamState => ({
  id: "d",
  name: "D",
  gateway: "g",
  head,
  revision: 1,
  updatedAt: head,
  changes: [],
  unsent: 0,
  problems: [],
  canUndo: true,
  canRedo: true,
});
export const whole = (head: string, topology: Topology): Team => ({ ...state(head), topology });
export const down = () => new ApiError({ code: "UNREACHABLE", message: "no answer" }, 0);
export const rename = (name: string) => (t: Topology) => updateAgents(t, ["lead"], { name });

/** A hub that keeps what it is sent; `fail` makes the next answers failures. */
export function fake() {
  const saves: SaveRequest[] = [],
    log: string[] = [];
  let n = 1;
  const f = {
    saves,
    log,
    head: "v1",
    topology: team(),
    fail: [] as ApiError[],
    refuses: (_: Topology): string | undefined => undefined,
    merged: undefined as Topology | undefined,
    followed: undefined as Saved["followed"],
    hold: undefined as Promise<void> | undefined,
    hub: {
      team: () => {
        log.push("get");
        return Promise.resolve(whole(f.head, f.topology));
      },
      saveTeam: async (_: string, body: SaveRequest) => {
        await f.hold;
        const why = f.refuses(body.topology);
        const err = why ? new ApiError({ code: "VALIDATION_ERROR", message: why }, 400) : f.fail.shift();
        if (err) {
          log.push("fail");
          throw err;
        }
        saves.push(body);
        log.push(`save ${body.topology.agents[0]?.name ?? ""}`);
        f.head = `v${++n}`;
        f.topology = f.merged ?? body.topology;
        const r = { state: state(f.head), topology: f.merged, followed: f.followed };
        f.merged = f.followed = undefined;
        return r;
      },
      undo: () => {
        log.push("undo");
        f.head = `v${++n}`;
        f.topology = team("Undone");
        return Promise.resolve(whole(f.head, f.topology));
      },
    } as unknown as TeamHub,
  };
  return f;
}

export async function opened() {
  const f = fake(),
    store = createTeam(f.hub);
  await store.getState().open("d");
  return { f, store, s: () => store.getState() };
}
export const name = (t: Topology) => t.agents[0]?.name;
