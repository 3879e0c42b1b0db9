import { useEffect, useState } from "react";
import { useDrawing } from "@/stores/drawing";
import { driftActions } from "@/stores/drift";
import { asApiError, type ApiError } from "@/stores/faults";
import { useGateways } from "@/stores/gateways";
import type { Drift } from "@/topology";

/** A gateway compared with what is drawn, again whenever either changes. What was shown stays until the next is here. */
export function useDrift(gateway: string) {
  const id = useDrawing((s) => (s.status === "ready" ? s.id : "")),
    updatedAt = useDrawing((s) => s.updatedAt);
  const g = useGateways().find((x) => x.name === gateway);
  const [got, setGot] = useState<{ of: string; drift?: Drift; error?: ApiError }>({ of: "" });
  const [round, setRound] = useState(0);
  const of = `${id} ${gateway}`,
    hash = g?.configHash,
    state = g?.state;
  useEffect(() => {
    if (!id || !gateway) return;
    let gone = false;
    driftActions.read(id, gateway).then(
      (drift) => {
        if (!gone) setGot({ of, drift });
      },
      (e: unknown) => {
        if (!gone) setGot({ of, error: asApiError(e) });
      },
    );
    return () => {
      gone = true;
    };
  }, [id, gateway, of, updatedAt, hash, state, round]);
  const mine = got.of === of;
  return {
    drift: mine ? got.drift : undefined,
    error: mine ? got.error : undefined,
    retry: () => setRound((n) => n + 1),
  };
}
