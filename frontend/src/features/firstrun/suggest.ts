import { displayName, refusal, type Topology } from "@/topology";

/** A connection worth trying: from the agent that leads the most agents to one without a leader. */
export function suggest(t: Topology): { from: string; to: string } | null {
  const commands = (id: string) =>
    t.agents.find((a) => a.id === id)?.connections?.filter((c) => c.type === "command").length ?? 0;
  const led = new Set(
    t.agents.flatMap((a) => (a.connections ?? []).filter((c) => c.type === "command").map((c) => c.targetId)),
  );
  const from = [...t.agents].sort((a, b) => commands(b.id) - commands(a.id))[0];
  const free = t.agents.filter(
    (a) => from && a.id !== from.id && refusal(t, { from: from.id, kind: "command", to: a.id }) === null,
  );
  const to = free.find((a) => !led.has(a.id)) ?? free[0];
  return from && to ? { from: displayName(from), to: displayName(to) } : null;
}
