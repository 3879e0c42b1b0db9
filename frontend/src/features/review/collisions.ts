import { changeConnection, findAgent, updateAgents, type Collision, type Topology } from "@/topology";

export const keyOf = (c: Collision) => `${c.version} ${c.id}`;

/** Whether the other window's value is the current one, as the notice says; true where that isn't one field. */
export function standsYet(t: Topology, c: Collision): boolean {
  const current =
    c.subject === "agent" && c.agent && c.field && !c.field.includes(".")
      ? (findAgent(t, c.agent) as Record<string, unknown> | undefined)?.[c.field]
      : c.subject === "team" && c.field === "name"
        ? t.name
        : c.mine;
  return JSON.stringify(current || null) === JSON.stringify(c.mine || null);
}

/** The edit that makes this window's value stand again; nothing where that is more than one value. */
export function takingBack(c: Collision): ((t: Topology) => Topology) | undefined {
  const value = c.theirs ?? undefined;
  if (c.subject === "agent" && c.agent && c.field && !c.field.includes(".")) {
    const id = c.agent,
      field = c.field;
    return (t) => updateAgents(t, [id], { [field]: value });
  }
  if (c.subject === "team" && c.field === "name" && typeof value === "string") return (t) => ({ ...t, name: value });
  if (c.subject === "connection" && c.agent && c.target && c.field === "label") {
    const at = { from: c.agent, kind: c.kind ?? "", to: c.target };
    return (t) => changeConnection(t, at, { label: typeof value === "string" ? value : "" });
  }
  return undefined;
}
