import type { TaskSummary } from "@/topology";

/** A task of the list, and below how many tasks it stands: 0 if it wasn't delegated, or if its parent isn't listed. */
export type Row = { task: TaskSummary; level: number };

/** Puts delegated tasks below their parent, first to last. All others keep their order. */
export function nested(items: readonly TaskSummary[]): Row[] {
  const listed = new Set(items.map((t) => t.taskId)),
    parts = new Map<string, TaskSummary[]>();
  const parentOf = (t: TaskSummary) => (t.parent && t.parent !== t.taskId && listed.has(t.parent) ? t.parent : "");
  for (const t of items) {
    const parent = parentOf(t),
      known = parts.get(parent);
    if (known) known.push(t);
    else parts.set(parent, [t]);
  }
  const rows: Row[] = [];
  const add = (task: TaskSummary, level: number) => {
    rows.push({ task, level });
    // The list is newest first, so the last part of a task comes first.
    for (const part of (parts.get(task.taskId) ?? []).reverse()) add(part, level + 1);
  };
  for (const task of parts.get("") ?? []) add(task, 0);
  return rows;
}
