import type { AgentID, PreviewChange, Problem } from "@/topology";

/** What a tick took along besides what it was put on. */
export type Pulled = { on: boolean; ids: string[] };

/** Everything that is reached from these, themselves included. */
function reach(from: readonly string[], next: (id: string) => readonly string[]): Set<string> {
  const found = new Set(from),
    todo = [...from];
  for (let id = todo.pop(); id !== undefined; id = todo.pop())
    for (const n of next(id))
      if (!found.has(n)) {
        found.add(n);
        todo.push(n);
      }
  return found;
}

/** Puts changes in or out: in goes with what it needs, out with what needs it. */
export function tick(
  changes: readonly PreviewChange[],
  leaveOut: readonly string[],
  ids: readonly string[],
  on: boolean,
): { leaveOut: string[]; pulled?: Pulled } {
  const needs = new Map(changes.map((c) => [c.id, c.needs ?? []])),
    out = new Set(leaveOut),
    asked = new Set(ids);
  const neededBy = new Map<string, string[]>();
  for (const c of changes) for (const n of c.needs ?? []) neededBy.set(n, [...(neededBy.get(n) ?? []), c.id]);
  const all = reach(ids, (id) => (on ? needs : neededBy).get(id) ?? []);
  const told = changes
    .filter((c) => all.has(c.id) && !asked.has(c.id) && out.has(c.id) === on && c.impact !== "local")
    .map((c) => c.id);
  for (const id of all)
    if (on) out.delete(id);
    else out.add(id);
  return {
    leaveOut: changes.filter((c) => out.has(c.id)).map((c) => c.id),
    pulled: told.length ? { on, ids: told } : undefined,
  };
}

/** The changes that a person chooses of: what stays in the team anyway needs no choice. */
export const choosable = (changes: readonly PreviewChange[]) => changes.filter((c) => c.impact !== "local");

export function ticked(changes: readonly PreviewChange[], leaveOut: readonly string[]): boolean | "indeterminate" {
  const n = changes.filter((c) => !leaveOut.includes(c.id)).length;
  return n === changes.length ? true : n === 0 ? false : "indeterminate";
}

/**
 * The agents that hold up an apply, if the other changes could be applied without them: an error of a new agent goes
 * with it, and one in a changed field with the change.
 */
export function holdingUp(
  changes: readonly PreviewChange[],
  problems: readonly Problem[],
  leaveOut: readonly string[],
): AgentID[] {
  const errors = problems.filter((p) => p.severity === "error"),
    chosen = choosable(changes).filter((c) => !leaveOut.includes(c.id));
  const of = (p: Problem) =>
    chosen.filter(
      (c) => c.subject === "agent" && c.agent === p.agent && (c.op === "added" || (!!p.field && c.field === p.field)),
    );
  if (!errors.length || errors.some((p) => !p.agent || !of(p).length)) return [];
  const { leaveOut: out } = tick(
    changes,
    leaveOut,
    errors.flatMap(of).map((c) => c.id),
    false,
  );
  return chosen.some((c) => !out.includes(c.id)) ? [...new Set(errors.flatMap((p) => p.agent ?? []))] : [];
}

/** Changes grouped by agent. An agent with several gets a tick for all of them. */
export function byAgent(changes: readonly PreviewChange[]): { agent?: string; changes: PreviewChange[] }[] {
  const runs = new Map<string, { agent?: string; changes: PreviewChange[] }>();
  for (const c of changes) {
    const key = c.subject === "agent" && c.agent ? c.agent : c.id,
      run = runs.get(key);
    if (run) run.changes.push(c);
    else runs.set(key, { agent: c.subject === "agent" ? c.agent : undefined, changes: [c] });
  }
  return [...runs.values()];
}
