import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useDrawing } from "@/stores/drawing";
import { drawingActions, useDrawings } from "@/stores/drawings";
import { asApiError, type ApiError } from "@/stores/faults";
import type { Version } from "@/topology";
import type { Filter } from "./fold";

const page = 200;
type State = { of: string; versions: Version[]; more: boolean; error?: ApiError };

/** The history of the drawing that is open, kept current, page by page. */
export function useVersions(only: Filter = "all", gateway = "") {
  const id = useDrawing((s) => s.id);
  const head = useDrawings().find((d) => d.id === id)?.head;
  const [state, setState] = useState<State>({ of: "", versions: [], more: false });
  const [round, setRound] = useState(0);
  const [loading, setLoading] = useState(false);
  const shown = useRef(0);
  const of = [id, only, gateway].join(" "),
    q = useMemo(() => ({ only: only === "all" ? undefined : only, gateway: gateway || undefined }), [only, gateway]);
  const mine = state.of === of;
  useEffect(() => {
    shown.current = mine ? state.versions.length : 0;
  });
  useEffect(() => {
    if (!id) return;
    let gone = false;
    drawingActions.versions(id, { ...q, limit: Math.min(1000, Math.max(page, shown.current)) }).then(
      (r) => {
        if (!gone) setState((had) => ({ of, ...joined(had.of === of ? had : undefined, r) }));
      },
      (e: unknown) => {
        if (!gone)
          setState((had) => ({ ...(had.of === of ? had : { versions: [], more: false }), of, error: asApiError(e) }));
      },
    );
    return () => {
      gone = true;
    };
  }, [id, of, q, head, round]);

  const loadMore = useCallback(() => {
    const before = state.versions.at(-1)?.id;
    if (!before || loading) return;
    setLoading(true);
    drawingActions
      .versions(id, { ...q, limit: page, before })
      .then(
        (r) =>
          setState((had) =>
            had.versions.at(-1)?.id === before
              ? { ...had, versions: [...had.versions, ...r.versions], more: r.more }
              : had,
          ),
        (e: unknown) => setState((had) => ({ ...had, error: asApiError(e) })),
      )
      .finally(() => setLoading(false));
  }, [id, q, state, loading]);
  const put = (v: Version) =>
    setState((had) => ({ ...had, versions: had.versions.map((x) => (x.id === v.id ? v : x)) }));
  return {
    versions: mine ? state.versions : [],
    more: mine && state.more,
    error: mine ? state.error : undefined,
    ready: mine && (!state.error || state.versions.length > 0),
    loading,
    loadMore,
    put,
    retry: () => setRound((n) => n + 1),
  };
}

/** The newest page again, with what older pages already brought below it. */
function joined(had: State | undefined, got: { versions: Version[]; more: boolean }): Omit<State, "of"> {
  const last = got.versions.at(-1)?.id;
  const below = had && last ? had.versions.filter((v) => v.id < last) : [];
  return below.length ? { versions: [...got.versions, ...below], more: had?.more ?? got.more } : got;
}
