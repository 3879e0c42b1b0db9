import { useTeam } from "@/stores/team";
import { teamActions, useTeams } from "@/stores/teams";
import { useReadPages } from "@/stores/read";
import type { Version } from "@/topology";
import type { Filter } from "./fold";

const page = 200;

/** The history of the team that is open, kept current, page by page. */
export function useVersions(only: Filter = "all", gateway = "") {
  const id = useTeam((s) => s.id);
  const head = useTeams().find((d) => d.id === id)?.head;
  const { list, more, ready, error, busy, older, again, change } = useReadPages<Version>({
    key: ["versions", id, only, gateway],
    on: [head],
    when: !!id,
    read: (last) =>
      teamActions
        .versions(id, {
          only: only === "all" ? undefined : only,
          gateway: gateway || undefined,
          limit: page,
          before: last?.id,
        })
        .then((r) => ({ list: r.versions, more: r.more })),
  });
  return {
    versions: list,
    more,
    error,
    ready,
    loading: busy,
    loadMore: older,
    put: (v: Version) => change((had) => (had.id === v.id ? v : had)),
    retry: again,
  };
}
