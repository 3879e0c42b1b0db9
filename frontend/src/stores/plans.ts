import { create } from "zustand";
import { persist } from "zustand/middleware";
import { asApiError, type ApiError } from "../api/error";
import { plansApi, type PlanBudget } from "../api/plans";
import type { NewPlan, PlanOperation, PlanOrder, PlanStatusByHand, PlanWhole } from "../topology";
import { reportFault } from "./faults";
import { onHub } from "./hub";
import { everything, type PlanFilter } from "./planTree";

export type PlanView = "tree" | "board" | "graph" | "timeline";

type Open = {
  id: string;
  whole?: PlanWhole;
  error?: ApiError;
  /** Something that the person did is on its way. */
  busy: boolean;
  /** The task that is chosen, in every view. */
  chosen: string;
  /** The task that was just added: its title is to be written. */
  added?: string;
  /** The place of a task that is being written before it is added. */
  adding?: Partial<PlanOperation>;
  /** The plan that was deleted last: undo brings it back. */
  deleted?: string;
  view: PlanView;
  filter: PlanFilter;
  folded: ReadonlySet<string>;
};

/** The plan that is looked at. How it is looked at is remembered. */
export const usePlan = create<Open>()(
  persist((): Open => ({ id: "", busy: false, chosen: "", view: "tree", filter: everything, folded: new Set() }), {
    name: "agentflow.plan",
    partialize: ({ view }) => ({ view }),
  }),
);

export const choosePlanTask = (chosen: string) => usePlan.setState({ chosen });
export const setPlanView = (view: PlanView) => usePlan.setState({ view });
export const filterPlan = (change: Partial<PlanFilter>) =>
  usePlan.setState((s) => ({ filter: { ...s.filter, ...change } }));
export function foldPlan(key: string, closed: boolean): void {
  usePlan.setState((s) => {
    const folded = new Set(s.folded);
    if (closed) folded.add(key);
    else folded.delete(key);
    return { folded };
  });
}

/** Takes what the hub answers, unless something newer is here already. */
function take(whole: PlanWhole): void {
  usePlan.setState((s) =>
    s.id !== whole.id || (s.whole && s.whole.rev > whole.rev)
      ? {}
      : {
          whole,
          error: undefined,
          chosen:
            whole.plan.tasks.some((t) => t.id === s.chosen) ||
            whole.proposals.some((p) => p.changes.some((c) => c.id === s.chosen))
              ? s.chosen
              : "",
        },
  );
}

let reading = 0;

export async function readPlan(): Promise<void> {
  const { id } = usePlan.getState(),
    mine = ++reading;
  if (!id) return;
  try {
    take(await plansApi.get(id));
  } catch (e) {
    if (mine === reading && usePlan.getState().id === id) usePlan.setState({ error: asApiError(e) });
  }
}

/** Shows a plan and keeps it as the hub has it. */
export function followPlan(id: string): () => void {
  if (usePlan.getState().id !== id)
    usePlan.setState({
      id,
      whole: undefined,
      error: undefined,
      chosen: "",
      adding: undefined,
      filter: everything,
      folded: new Set(),
    });
  const off = onHub({
    notify: (n) => {
      const { whole } = usePlan.getState(),
        told = n.plans?.find((p) => p.id === id);
      if (n.plansGone?.includes(id) || n.reset || (told && told.rev !== whole?.rev)) {
        void readPlan();
        return;
      }
      if (told && whole) usePlan.setState({ whole: { ...whole, asking: told.asking } });
    },
  });
  void readPlan();
  return off;
}

let last: Promise<unknown> = Promise.resolve();

/** Does one thing after the other, each on the version that is shown then. True when it worked. */
function change(what: string, work: (id: string, head: number) => Promise<PlanWhole>): Promise<boolean> {
  const run = async () => {
    const { id, whole } = usePlan.getState();
    if (!whole) return false;
    usePlan.setState({ busy: true });
    try {
      take(await work(id, whole.head));
      return true;
    } catch (e) {
      reportFault(what, e);
      await readPlan();
      return false;
    } finally {
      usePlan.setState({ busy: false });
    }
  };
  const mine = last.then(run, run);
  last = mine;
  return mine;
}

/**
 * Sends an edit. When somebody else was a moment earlier, it is sent once more for the newest version: what is written
 * in a field then counts there, as it does in a team. An edit that moves or deletes is refused, because it depends on
 * the rest of the plan.
 */
async function editNewest(id: string, head: number, operations: PlanOperation[], label: string) {
  try {
    return await plansApi.edit(id, head, operations, label);
  } catch (e) {
    const stale = asApiError(e).details?.reason === "stale_version";
    if (!stale || operations.some((o) => o.op !== "update" && o.op !== "create")) throw e;
    const now = await plansApi.get(id);
    return plansApi.edit(id, now.head, operations, label);
  }
}

/** A person's changes to the plan that is shown. After a failure, the error is reported and the plan read again. */
export const planActions = {
  edit: (operations: PlanOperation[], label: string) =>
    change("planEdit", (id, head) => editNewest(id, head, operations, label)),
  /** Adds a task and chooses it, so that its title can be written at once. */
  add: (op: Omit<PlanOperation, "op" | "temp_id">, label: string) =>
    change("planEdit", async (id, head) => {
      const made = await editNewest(id, head, [{ op: "create", temp_id: "new", ...op }], label);
      queueMicrotask(() => usePlan.setState({ chosen: made.ids.new ?? "", added: made.ids.new }));
      return made;
    }),
  status: (task: string, status: PlanStatusByHand, label: string) =>
    change("planEdit", (id, head) => plansApi.status(id, head, task, status, label)),
  undo: () => change("undo", (id, head) => plansApi.undo(id, head)),
  redo: () => change("redo", (id, head) => plansApi.redo(id, head)),
  accept: (proposal: string, running: boolean) =>
    change("planAccept", (id, head) => plansApi.accept(id, proposal, head, running)),
  refuse: (proposal: string) => change("planRefuse", (id) => plansApi.refuse(id, proposal)),
  restore: (number: number) => change("planRestore", (id, head) => plansApi.restore(id, head, number)),
  pause: () => change("planWork", (id) => plansApi.pause(id)),
  resume: (budget: PlanBudget) => change("planWork", (id) => plansApi.resume(id, budget)),
  cancelWork: () => change("planWork", (id) => plansApi.cancelWork(id)),
  /** Tries failed tasks again, and with them the run goes on. */
  retryTasks: (tasks: readonly string[]) =>
    change("planWork", async (id) => {
      let made = await plansApi.retryTask(id, tasks[0]!);
      for (const task of tasks.slice(1)) made = await plansApi.retryTask(id, task);
      return made;
    }),
  cancel: (proposal: string) => change("planCancel", (id) => plansApi.cancel(id, proposal)),
};

/** Has a plan worked. Rejects with ApiError. */
export async function runPlan(id: string, order: PlanOrder): Promise<void> {
  take(await plansApi.run(id, order));
}

/** Of plans as such; all reject with ApiError. */
export const planLibrary = {
  create: (body: NewPlan) => plansApi.create(body),
  ask: (id: string, request: string) => plansApi.ask(id, request),
  workers: () => plansApi.workers(),
  rename: (id: string, name: string) => plansApi.rename(id, name),
  remove: async (id: string) => {
    await plansApi.remove(id);
    usePlan.setState((s) => ({ deleted: id, ...(s.id === id && { id: "", whole: undefined }) }));
  },
  /** Brings a deleted plan back, as it was. */
  recover: async (id: string) => {
    await plansApi.recover(id);
    usePlan.setState({ deleted: "" });
  },
  changes: (id: string, task: string, attempt: number) => plansApi.changes(id, task, attempt),
  sides: (id: string, task: string, attempt: number, path: string) => plansApi.side(id, task, attempt, path),
  calls: (id: string, of: { proposal?: string; task?: string }) => plansApi.calls(id, of),
  file: async (id: string) =>
    new Blob([`${JSON.stringify(await plansApi.file(id), null, 2)}\n`], { type: "application/json" }),
};

export { saveBytes } from "../api/files";
