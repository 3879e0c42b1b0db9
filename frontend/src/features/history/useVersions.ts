import { useDrawing } from "@/stores/drawing";
import { drawingActions, useDrawings } from "@/stores/drawings";
import { useReadPages } from "@/stores/read";
import type { Version } from "@/topology";
import type { Filter } from "./fold";

const page = 200;

/** The history of the drawing that is open, kept current, page by page. */
export function useVersions(only: Filter = "all", gateway = "") {
  const id = useDrawing((s) => s.id);
  const head = useDrawings().find((d) => d.id === id)?.head;
  const { list, more, ready, error, busy, older, again, change } = useReadPages<Version>({
    key: ["versions", id, only, gateway],
    on: [head],
    when: !!id,
    read: (last) =>
      drawingActions
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
