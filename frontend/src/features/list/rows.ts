import {
  displayName,
  shortModel,
  type Agent,
  type AgentID,
  type Mark,
  type Marks,
  type Problem,
  type Tools,
  type Topology,
} from "@/topology";
import { foldText } from "@/ui";

/** An agent as a row of the list: what is shown, sorted and filtered by. */
export type Row = {
  id: AgentID;
  agent: Agent;
  name: string;
  role: string;
  model: string;
  tools: number;
  in: number;
  out: number;
  group: string;
  errors: number;
  warnings: number;
  mark?: Mark;
  /** What a filter text looks at. */
  text: string;
};

export const columns = ["name", "id", "role", "model", "tools", "in", "out", "group", "problems", "mark"] as const;
export type Column = (typeof columns)[number];
export type Order = { by: Column; down: boolean };
export type Facets = { text: string; role: string; model: string; group: string; problems: boolean; changed: boolean };
export const noFacets: Facets = { text: "", role: "", model: "", group: "", problems: false, changed: false };
export const anyFacet = (f: Facets) =>
  f.text.trim() !== "" || f.role !== "" || f.model !== "" || f.group !== "" || f.problems || f.changed;

export function rowsOf(t: Topology, marks: Marks, problems: readonly Problem[]): Row[] {
  const into = new Map<AgentID, number>(),
    groups = new Map<AgentID, string>(),
    errors = new Map<AgentID, number>(),
    warnings = new Map<AgentID, number>();
  const count = (m: Map<AgentID, number>, id: AgentID) => m.set(id, (m.get(id) ?? 0) + 1);
  for (const a of t.agents) for (const c of a.connections ?? []) count(into, c.targetId);
  for (const g of t.groups ?? []) for (const m of g.members ?? []) groups.set(m, g.name || g.id);
  for (const p of problems) if (p.agent) count(p.severity === "error" ? errors : warnings, p.agent);
  return t.agents.map((agent) => {
    const name = displayName(agent),
      role = agent.role ?? "",
      model = agent.model ?? "",
      group = groups.get(agent.id) ?? "";
    return {
      id: agent.id,
      agent,
      name,
      role,
      model,
      group,
      tools: (agent.tools?.allow?.length ?? 0) + (agent.tools?.deny?.length ?? 0),
      in: into.get(agent.id) ?? 0,
      out: agent.connections?.length ?? 0,
      errors: errors.get(agent.id) ?? 0,
      warnings: warnings.get(agent.id) ?? 0,
      mark: marks.agents.get(agent.id)?.mark,
      text: foldText(`${name}\n${agent.id}\n${role}\n${model}\n${shortModel(model)}\n${group}`),
    };
  });
}

export function filterRows(rows: readonly Row[], f: Facets): Row[] {
  const wanted = foldText(f.text).split(/\s+/).filter(Boolean);
  return rows.filter(
    (r) =>
      (!f.role || r.role === f.role) &&
      (!f.model || r.model === f.model) &&
      (!f.group || r.group === f.group) &&
      (!f.problems || r.errors + r.warnings > 0) &&
      (!f.changed || r.mark !== undefined) &&
      wanted.every((w) => r.text.includes(w)),
  );
}

/** Empty words stand last whichever way it is sorted; what is equal keeps its order by name, then by id. */
export function sortRows(rows: readonly Row[], { by, down }: Order, language: string): Row[] {
  const words = new Intl.Collator(language, { numeric: true, sensitivity: "base" });
  const sign = down ? -1 : 1;
  const last = (a: string, b: string) => (a && b ? sign * words.compare(a, b) : Number(!a) - Number(!b));
  const compare = (a: Row, b: Row): number => {
    switch (by) {
      case "tools":
      case "in":
      case "out":
        return sign * (a[by] - b[by]);
      case "problems":
        return sign * (a.errors - b.errors || a.warnings - b.warnings);
      case "mark":
        return last(a.mark ?? "", b.mark ?? "");
      default:
        return last(a[by], b[by]);
    }
  };
  return [...rows].sort((a, b) => compare(a, b) || words.compare(a.name, b.name) || (a.id < b.id ? -1 : 1));
}

/** The values of a column with how many rows have each, the most frequent first. */
export function valuesOf(rows: readonly Row[], of: "role" | "model" | "group"): { value: string; n: number }[] {
  const n = new Map<string, number>();
  for (const r of rows) if (r[of]) n.set(r[of], (n.get(r[of]) ?? 0) + 1);
  return [...n]
    .map(([value, count]) => ({ value, n: count }))
    .sort((a, b) => b.n - a.n || a.value.localeCompare(b.value));
}

export type ToolEdit = { list: "allow" | "deny"; how: "add" | "remove" | "set"; names: readonly string[] } | "default";

/** Edits the tools of many agents at once. Each keeps the rest of its rule. */
export function editTools(t: Topology, ids: readonly AgentID[], e: ToolEdit): Topology {
  const chosen = new Set(ids);
  let same = true;
  const agents = t.agents.map((a) => {
    if (!chosen.has(a.id)) return a;
    const { tools: had, ...rest } = a;
    const next = e === "default" ? undefined : changed(had, e);
    if (JSON.stringify(next) === JSON.stringify(had)) return a;
    same = false;
    return next ? { ...a, tools: next } : rest;
  });
  return same ? t : { ...t, agents };
}

function changed(had: Tools | undefined, e: Exclude<ToolEdit, "default">): Tools | undefined {
  const old = had?.[e.list] ?? [];
  const list =
    e.how === "set"
      ? [...new Set(e.names)]
      : e.how === "add"
        ? [...old, ...e.names.filter((n) => !old.includes(n))]
        : old.filter((n) => !e.names.includes(n));
  const next: Tools = { ...had, [e.list]: list };
  if (!list.length) delete next[e.list];
  return Object.keys(next).length || had ? next : undefined;
}
