import { useEffect, useState } from "react";
import { useDrawing } from "@/stores/drawing";
import { drawingActions } from "@/stores/drawings";
import { asApiError, type ApiError } from "@/stores/faults";
import type { Change, Topology } from "@/topology";

export type Comparison = { key: string; a?: Topology; b: Topology; changes: Change[]; before?: string; after?: string };

/** Version B with what it changed since A; alone when there is no A. The picture before stays until the next is here. */
export function useComparison(a: string | undefined, b: string | undefined, text = false) {
  const id = useDrawing((s) => s.id);
  const [got, setGot] = useState<Comparison>();
  const [error, setError] = useState<{ key: string; error: ApiError }>();
  const [round, setRound] = useState(0);
  const key = `${id} ${a ?? ""} ${b ?? ""}${text ? " text" : ""}`;
  useEffect(() => {
    if (!id || !b) return;
    let gone = false;
    const from = a ?? (text ? b : undefined); // a first version as text stands beside itself
    const read: Promise<Comparison> = from
      ? drawingActions.compare(id, from, b, text).then((r) => ({ key, ...r }))
      : drawingActions.version(id, b).then((r) => ({ key, b: r.topology, changes: [] }));
    read.then(
      (r) => {
        if (!gone) {
          setGot(r);
          setError(undefined);
        }
      },
      (e: unknown) => {
        if (!gone) setError({ key, error: asApiError(e) });
      },
    );
    return () => {
      gone = true;
    };
  }, [id, a, b, text, key, round]);
  return {
    shown: b && got?.key.startsWith(`${id} `) ? got : undefined,
    current: got?.key === key,
    error: error?.key === key ? error.error : undefined,
    retry: () => setRound((n) => n + 1),
  };
}
