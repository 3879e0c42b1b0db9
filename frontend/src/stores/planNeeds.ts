import type { PlanItem, PlanModel } from "./planTree";

/** What waits in the picture: `to` cannot begin before `from` is done. */
export type Link = { from: string; to: string };
export const linkKey = (l: Link) => `${l.from}>${l.to}`;

const there = (model: PlanModel, id: string) => {
  const item = model.items.get(id);
  return item && !item.change?.removed ? item : undefined;
};

/** The tasks that must be done before this one begins: those it names, and those that what it hangs below names. */
export function needsOf(model: PlanModel, item: PlanItem): string[] {
  const out: string[] = [];
  for (let at: PlanItem | undefined = item; at; at = model.items.get(at.parent))
    for (const d of at.task.dependencies) if (d !== item.id && there(model, d)) out.push(d);
  return out;
}

/** The tasks that wait for this one, directly or not, and what hangs below them. */
export function waitersOf(model: PlanModel, id: string): Set<string> {
  const by = new Map<string, string[]>(),
    seen = new Set<string>(),
    next = [id];
  for (const i of model.items.values())
    for (const d of i.task.dependencies) {
      const had = by.get(d);
      if (had) had.push(i.id);
      else by.set(d, [i.id]);
    }
  for (let at = next.pop(); at !== undefined; at = next.pop())
    for (const w of by.get(at) ?? [])
      if (!seen.has(w)) {
        seen.add(w);
        next.push(w);
      }
  return seen;
}

/** Why a task cannot wait for another: an i18n key's last part; undefined where it can. */
export function refusalOf(model: PlanModel, { from, to }: Link): "self" | "there" | "gone" | "circle" | undefined {
  const waiting = there(model, to);
  if (from === to) return "self";
  if (!waiting || !there(model, from)) return "gone";
  if (waiting.task.dependencies.includes(from)) return "there";
  return waitersOf(model, to).has(from) ? "circle" : undefined;
}

/** The items so that each comes after what it waits for, and after what hangs below it. Those in a circle are left out. */
export function inOrder(model: PlanModel): PlanItem[] {
  const left = new Map<string, number>(),
    after = new Map<string, PlanItem[]>(),
    out: PlanItem[] = [];
  for (const item of model.items.values()) {
    const before = item.children.length ? item.children.filter((c) => model.items.has(c)) : needsOf(model, item);
    left.set(item.id, before.length);
    for (const b of before) {
      const had = after.get(b);
      if (had) had.push(item);
      else after.set(b, [item]);
    }
    if (!before.length) out.push(item);
  }
  for (let i = 0; i < out.length; i++) {
    for (const item of after.get((out[i] as PlanItem).id) ?? []) {
      const n = (left.get(item.id) ?? 0) - 1;
      left.set(item.id, n);
      if (n === 0) out.push(item);
    }
  }
  return out;
}
