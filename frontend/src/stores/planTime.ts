import type { PlanProgress } from "../topology";
import { inOrder, linkKey, needsOf } from "./planNeeds";
import { leavesOf, type PlanItem, type PlanModel } from "./planTree";

const minute = 60_000;
const least = 10; // also where no effort is given, so that this is never more than "small"
/** How long a task of an effort takes where nothing has been measured yet, in minutes. */
const usual: Record<string, number> = { small: least, medium: 30, large: 90 };
export const weightOf = (item: PlanItem) => usual[item.task.estimated_effort ?? ""] ?? least;

type Progresses = Readonly<Record<string, PlanProgress>>;
type Span = { from: number; to: number };
const millis = (at: string | undefined) => (at ? Date.parse(at) : 0);

/** The tries of a task that were made, the last one up to now where it runs. */
export function triesOf(
  item: PlanItem,
  progress: PlanProgress | undefined,
  now: number,
): (Span & { failed: boolean; open: boolean })[] {
  return (progress?.attempts ?? []).map((a) => {
    const from = millis(a.startedAt),
      ended = millis(a.endedAt),
      open = !ended;
    return {
      from,
      to: Math.max(from, open ? (item.standing === "running" ? now : millis(progress?.updatedAt)) : ended),
      failed: !!a.error,
      open: open && item.standing === "running",
    };
  });
}

/** By how much the tasks that are done took longer than usual; 1 where none was measured. */
export function paceOf(model: PlanModel, progress: Progresses): { factor: number; measured: number } {
  const ratios: number[] = [];
  for (const item of leavesOf(model)) {
    const p = progress[item.id];
    if (item.standing !== "done" || !p?.attempts?.length) continue;
    const took = triesOf(item, p, 0).reduce((sum, s) => sum + s.to - s.from, 0);
    if (took > 0) ratios.push(took / minute / weightOf(item));
  }
  ratios.sort((a, b) => a - b);
  return { factor: ratios[ratios.length >> 1] ?? 1, measured: ratios.length };
}

export type Critical = { tasks: ReadonlySet<string>; links: ReadonlySet<string>; minutes: number };

/** The longest chain of what is not done: what makes the plan later if it takes longer. */
export function criticalPath(model: PlanModel): Critical {
  const end = new Map<string, number>(),
    via = new Map<string, string>();
  let last = "",
    longest = 0;
  for (const item of inOrder(model)) {
    const inner = item.children.length > 0,
      gone = item.change?.removed;
    let latest = 0;
    for (const id of inner ? item.children : needsOf(model, item)) {
      const at = end.get(id) ?? 0;
      if (at > latest) {
        latest = at;
        via.set(item.id, id);
      }
    }
    const to = latest + (inner || gone || item.standing === "done" ? 0 : weightOf(item));
    end.set(item.id, to);
    if (!inner && !gone && item.standing !== "done" && to > longest) {
      longest = to;
      last = item.id;
    }
  }
  const tasks = new Set<string>(),
    links = new Set<string>();
  for (let at = last; at; at = via.get(at) ?? "") {
    tasks.add(at);
    const before = via.get(at);
    if (before) links.add(linkKey({ from: before, to: at }));
  }
  return { tasks, links, minutes: longest };
}

export type Schedule = {
  expected: ReadonlyMap<string, Span>;
  from: number;
  to: number;
  pace: { factor: number; measured: number };
};

/** A file and what is below it, as the hub compares them. */
const share = (a: readonly string[], b: readonly string[]) =>
  a.some((x) => b.some((y) => x === y || x === "." || y === "." || x.startsWith(`${y}/`) || y.startsWith(`${x}/`)));
const filesOf = (item: PlanItem) =>
  (item.task.suggested_impl?.file_paths ?? []).map((f) => f.toLowerCase().replace(/^\.\//, "").replace(/\/+$/, ""));

/** When the tasks that are not done are expected to be worked: in the order of the tree, as their dependencies allow, so many at once, none beside another that changes the same files. */
export function scheduleOf(model: PlanModel, progress: Progresses, parallel: number, now: number): Schedule {
  const pace = paceOf(model, progress),
    leaves = leavesOf(model).filter((i) => !i.change?.removed),
    place = new Map(leaves.map((l, i) => [l.id, i]));
  const length = (item: PlanItem) => Math.max(minute, weightOf(item) * pace.factor * minute);
  const left = new Map<string, number>(),
    after = new Map<string, PlanItem[]>(),
    ready: PlanItem[] = [];
  const put = (item: PlanItem) => {
    const at = place.get(item.id) ?? 0,
      i = ready.findIndex((r) => (place.get(r.id) ?? 0) > at);
    ready.splice(i < 0 ? ready.length : i, 0, item);
  };
  const open = (item: PlanItem | undefined) => !!item && !item.change?.removed && item.standing !== "done";
  for (const item of model.items.values()) {
    if (!open(item)) continue;
    const before = (item.children.length ? item.children : needsOf(model, item)).filter((id) =>
      open(model.items.get(id)),
    );
    left.set(item.id, before.length);
    for (const b of before) {
      const had = after.get(b);
      if (had) had.push(item);
      else after.set(b, [item]);
    }
  }
  for (const item of leaves) if (open(item) && !left.get(item.id) && item.standing !== "running") ready.push(item);
  const expected = new Map<string, Span>(),
    running: { item: PlanItem; to: number; files: string[] }[] = [];
  const begin = (item: PlanItem, from: number, to: number) => {
    running.push({ item, to, files: filesOf(item) });
    expected.set(item.id, { from, to });
  };
  for (const item of leaves)
    if (item.standing === "running") {
      const last = triesOf(item, progress[item.id], now).at(-1);
      begin(item, now, Math.max(now + minute, (last?.from ?? now) + length(item)));
    }
  const ended = (item: PlanItem) => {
    for (const next of after.get(item.id) ?? []) {
      const n = (left.get(next.id) ?? 1) - 1;
      left.set(next.id, n);
      if (n > 0) continue;
      if (next.children.length) ended(next);
      else if (next.standing !== "running") put(next);
    }
  };
  for (let at = now; ready.length || running.length;) {
    for (let i = 0; i < ready.length && running.length < parallel;) {
      const item = ready[i] as PlanItem,
        files = filesOf(item);
      if (files.length && running.some((r) => share(files, r.files))) {
        i++;
        continue;
      }
      ready.splice(i, 1);
      begin(item, at, at + length(item));
    }
    at = Math.min(...running.map((r) => r.to));
    for (let i = running.length - 1; i >= 0; i--) {
      const r = running[i];
      if (r && r.to <= at) {
        running.splice(i, 1);
        ended(r.item);
      }
    }
  }
  let from = now,
    to = now;
  for (const s of expected.values()) to = Math.max(to, s.to);
  for (const item of leaves)
    for (const s of triesOf(item, progress[item.id], now)) {
      from = Math.min(from, s.from);
      to = Math.max(to, s.to);
    }
  return { expected, from, to, pace };
}

/** What the whole plan will have used, by what the tasks that are done have; undefined where nothing or everything is done. */
export function expectedOf(model: PlanModel, used: number): number | undefined {
  let done = 0,
    all = 0;
  for (const item of leavesOf(model)) {
    if (item.change?.removed) continue;
    all += weightOf(item);
    if (item.standing === "done") done += weightOf(item);
  }
  return used > 0 && done > 0 && done < all ? (used * all) / done : undefined;
}
