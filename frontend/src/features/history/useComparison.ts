import { useTeam } from "@/stores/team";
import { teamActions } from "@/stores/teams";
import { useRead } from "@/stores/read";
import type { Change, Topology } from "@/topology";

export type Comparison = { of: string; a?: Topology; b: Topology; changes: Change[]; before?: string; after?: string };

/** Version B with what it changed since A; alone when there is no A. The picture before stays until the next is here. */
export function useComparison(a: string | undefined, b = "", text = false) {
  const id = useTeam((s) => s.id);
  const from = a ?? (text ? b : undefined); // a first version as text stands beside itself
  const { data, current, error, again } = useRead<Comparison>({
    key: ["comparison", id, a, b, text],
    when: !!id && !!b,
    keep: true,
    read: () =>
      from
        ? teamActions.compare(id, from, b, text).then((r) => ({ of: id, ...r }))
        : teamActions.version(id, b).then((r) => ({ of: id, b: r.topology, changes: [] })),
  });
  return { shown: data?.of === id ? data : undefined, current, error, retry: again };
}
