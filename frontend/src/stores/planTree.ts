import type { Plan, PlanChange, PlanTask } from "../topology";

/** How a task stands, in one of the words that a person sees. */
export type Standing = "todo" | "running" | "held" | "failed" | "done";

const standings: Record<string, Standing> = {
  PENDING: "todo",
  PLANNING: "running",
  RUNNING: "running",
  VALIDATING: "running",
  BLOCKED: "held",
  FAILED: "failed",
  COMPLETE: "done",
};
export const standingOf = (status: string): Standing => standings[status] ?? "todo";

export type Mark = "add" | "del" | "chg" | "mov";
export const markOf = (c: PlanChange | undefined): Mark | undefined =>
  c && (c.added ? "add" : c.removed ? "del" : c.fields?.length ? "chg" : c.moved ? "mov" : undefined);

/** A task in its tree, with what follows for it from the rest of the plan. */
export type PlanItem = {
  id: string;
  task: PlanTask;
  parent: string;
  children: string[];
  /** Of itself, or of the leaves below it. */
  standing: Standing;
  leaves: number;
  done: number;
  /** Tasks it waits for that are not done. */
  waits: number;
  /** Unfinished tasks that wait for it, directly or through others. */
  blocks: number;
  change?: PlanChange;
};

export type PlanModel = {
  items: Map<string, PlanItem>;
  root: string;
  /** Tasks that hang below the root. */
  top: string[];
  /** The task on which most others wait, if it could be done now. */
  blocker?: string;
};

/** The children of a task after a change, with those that it takes away where they stood. */
function merged(after: readonly string[], before: readonly string[], gone: (id: string) => boolean): string[] {
  const out = [...after];
  for (const [i, id] of before.entries()) {
    if (!gone(id)) continue;
    const prev = before
      .slice(0, i)
      .reverse()
      .find((p) => out.includes(p));
    out.splice(prev === undefined ? 0 : out.indexOf(prev) + 1, 0, id);
  }
  return out;
}

const order: Standing[] = ["running", "failed", "held", "todo", "done"];

/** The plan as a tree. With a proposal: as it would be, with what is taken away still in its place. */
export function modelOf(plan: Plan, proposal?: { after: Plan; changes: readonly PlanChange[] }): PlanModel {
  const now = proposal?.after ?? plan,
    changes = new Map(proposal?.changes.map((c) => [c.id, c]));
  const items = new Map<string, PlanItem>(),
    root = now.root_node_id;
  const old = new Map(proposal ? plan.node_index.map((n) => [n.node_id, n]) : []),
    fresh = new Map(now.node_index.map((n) => [n.node_id, n]));
  const gone = (id: string) => !fresh.has(id);
  const put = (task: PlanTask) => {
    const id = task.id,
      node = fresh.get(id) ?? old.get(id);
    if (!node || items.has(id)) return;
    const children = proposal
      ? merged(fresh.get(id)?.children ?? [], old.get(id)?.children ?? [], gone)
      : node.children;
    items.set(id, {
      id,
      task,
      parent: node.parent_id,
      children,
      standing: standingOf(task.status),
      leaves: 1,
      done: 0,
      waits: 0,
      blocks: 0,
      change: changes.get(id),
    });
  };
  for (const t of now.tasks) put(t);
  if (proposal) for (const t of plan.tasks) if (gone(t.id)) put(t);
  const model: PlanModel = {
    items,
    root,
    top: proposal
      ? merged(fresh.get(root)?.children ?? [], old.get(root)?.children ?? [], gone)
      : (fresh.get(root)?.children ?? []),
  };
  addUp(model);
  block(model);
  return model;
}

/** Depth first, so that children come before their parents. */
function addUp({ items, top }: PlanModel): void {
  const path: [string, boolean][] = [...top].reverse().map((id) => [id, false]);
  for (let at = path.pop(); at; at = path.pop()) {
    const [id, below] = at,
      item = items.get(id);
    if (!item) continue;
    if (!below) {
      path.push([id, true]);
      for (const c of item.children) path.push([c, false]);
      continue;
    }
    const kids = item.children.map((c) => items.get(c)).filter((k) => k && !k.change?.removed) as PlanItem[];
    if (!kids.length) {
      item.leaves = 1;
      item.done = item.standing === "done" ? 1 : 0;
      continue;
    }
    item.leaves = kids.reduce((n, k) => n + k.leaves, 0);
    item.done = kids.reduce((n, k) => n + k.done, 0);
    item.standing =
      item.done === item.leaves
        ? "done"
        : (order.find((s) => s !== "done" && kids.some((k) => k.standing === s)) ?? "todo");
  }
}

function block(model: PlanModel): void {
  const { items } = model,
    waiting = new Map<string, string[]>();
  const open = (i: PlanItem | undefined) => i && !i.change?.removed && i.standing !== "done";
  for (const i of items.values()) {
    if (!open(i)) continue;
    for (const d of i.task.dependencies) {
      if (!open(items.get(d))) continue;
      i.waits++;
      waiting.set(d, [...(waiting.get(d) ?? []), i.id]);
    }
  }
  let most = 0;
  for (const [id] of waiting) {
    const item = items.get(id);
    if (!item) continue;
    const seen = new Set<string>(),
      next = [...(waiting.get(id) ?? [])];
    for (let x = next.pop(); x !== undefined; x = next.pop())
      if (!seen.has(x)) {
        seen.add(x);
        next.push(...(waiting.get(x) ?? []));
      }
    item.blocks = seen.size;
    if (item.waits === 0 && item.children.length === 0 && item.blocks > most) {
      most = item.blocks;
      model.blocker = id;
    }
  }
}

export type PlanRow = {
  key: string;
  depth: number;
  item?: PlanItem;
  /** A phase: its name, milestone, and how much of it is done. */ phase?: {
    name: string;
    milestone: string;
    leaves: number;
    done: number;
    standing: Standing;
  };
  folded?: boolean;
  inner: boolean;
};

export type PlanFilter = { words: string; standing: "" | Standing };
export const everything: PlanFilter = { words: "", standing: "" };

/** What is shown, line by line. While something is looked for, only what fits and what it hangs below. */
export function rowsOf(model: PlanModel, folded: ReadonlySet<string>, fits?: (item: PlanItem) => boolean): PlanRow[] {
  const looking = fits !== undefined,
    shown = fits && fitting(model, fits);
  const out: PlanRow[] = [];
  const walk = (ids: readonly string[], from: number) => {
    const path: [string, number][] = [...ids].reverse().map((id) => [id, from]);
    for (let at = path.pop(); at; at = path.pop()) {
      const [id, depth] = at,
        item = model.items.get(id);
      if (!item || (shown && !shown.has(id))) continue;
      const closed = !looking && folded.has(id);
      out.push({ key: id, depth, item, folded: closed, inner: item.children.length > 0 });
      if (!closed) for (let i = item.children.length - 1; i >= 0; i--) path.push([item.children[i]!, depth + 1]);
    }
  };
  const phases = phasesOf(model);
  if (!phases) {
    walk(model.top, 0);
    return out;
  }
  for (const { key, name, ids } of phases) {
    const visible = shown ? ids.filter((id) => shown.has(id)) : ids;
    if (!visible.length) continue;
    const kids = ids.map((id) => model.items.get(id)).filter((k) => k && !k.change?.removed) as PlanItem[],
      leaves = kids.reduce((n, k) => n + k.leaves, 0),
      done = kids.reduce((n, k) => n + k.done, 0);
    const closed = !looking && folded.has(key),
      standing =
        leaves > 0 && done === leaves
          ? "done"
          : (order.find((s) => s !== "done" && kids.some((k) => k.standing === s)) ?? "todo");
    out.push({
      key,
      depth: 0,
      phase: { name, milestone: kids.find((k) => k.task.milestone)?.task.milestone ?? "", leaves, done, standing },
      folded: closed,
      inner: true,
    });
    if (!closed) walk(ids, 1);
  }
  return out;
}

/** The tasks below the root by phase, in the order in which the phases first stand there; nothing where there are no phases. */
export function phasesOf(model: PlanModel): { key: string; name: string; ids: string[] }[] | undefined {
  const by = new Map<string, string[]>();
  for (const id of model.top) {
    const name = model.items.get(id)?.task.phase_name ?? "";
    by.set(name, [...(by.get(name) ?? []), id]);
  }
  return [...by.keys()].some(Boolean) ? [...by].map(([name, ids]) => ({ key: `phase:${name}`, name, ids })) : undefined;
}

function fitting(model: PlanModel, fits: (item: PlanItem) => boolean): Set<string> {
  const shown = new Set<string>();
  for (const item of model.items.values()) {
    if (fits(item))
      for (let at: PlanItem | undefined = item; at && !shown.has(at.id); at = model.items.get(at.parent))
        shown.add(at.id);
  }
  return shown;
}

/** The leaves, in the order of the tree. */
export function leavesOf(model: PlanModel): PlanItem[] {
  const out: PlanItem[] = [],
    path = [...model.top].reverse();
  for (let id = path.pop(); id !== undefined; id = path.pop()) {
    const item = model.items.get(id);
    if (!item) continue;
    if (item.children.length) for (let i = item.children.length - 1; i >= 0; i--) path.push(item.children[i]!);
    else out.push(item);
  }
  return out;
}
