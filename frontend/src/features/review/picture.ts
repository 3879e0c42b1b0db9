import { connectionKey, type Change } from "@/topology";

/** Stands back on the canvas: agents and connections that are new and not chosen. */
export function leftOut(
  changes: readonly Change[],
  out: readonly string[],
): ((thing: { agent?: string; connection?: string }) => boolean) | undefined {
  if (!out.length) return undefined;
  const gone = changes.filter((c) => out.includes(c.id) && c.op === "added");
  const agents = new Set(gone.filter((c) => c.subject === "agent" && !c.field).map((c) => c.agent));
  const lines = new Set(
    gone
      .filter((c) => c.subject === "connection" && c.agent && c.target)
      .map((c) => connectionKey({ from: c.agent ?? "", kind: c.kind ?? "", to: c.target ?? "" })),
  );
  return ({ agent, connection }) =>
    (agent !== undefined && agents.has(agent)) || (connection !== undefined && lines.has(connection));
}
