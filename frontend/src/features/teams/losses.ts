import type { Loss } from "@/topology";

export type LossGroup = {
  reason: Loss["reason"];
  field: string;
  kind?: string;
  who: { agent?: string; target?: string }[];
};

/** What a format cannot hold, told once for each field and kind instead of once for each agent. */
export function groupLosses(losses: readonly Loss[]): LossGroup[] {
  const groups = new Map<string, LossGroup>();
  for (const l of losses) {
    const key = `${l.reason}\n${l.field ?? ""}\n${l.kind ?? ""}`;
    let g = groups.get(key);
    if (!g) groups.set(key, (g = { reason: l.reason, field: l.field ?? "", kind: l.kind, who: [] }));
    if (l.agent && !g.who.some((w) => w.agent === l.agent && w.target === l.target))
      g.who.push({ agent: l.agent, target: l.target });
  }
  return [...groups.values()];
}
