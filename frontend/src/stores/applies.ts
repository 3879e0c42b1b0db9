import { hub, type Decisions } from "../api/hub";
import type { Apply } from "../topology";
import { useHub } from "./hub";

const put = (a: Apply) => { useHub.setState((s) => ({ applies: { ...s.applies, [a.id]: a } })); return a; };

export const useApply = (id: string | undefined) => useHub((s) => (id ? s.applies[id] : undefined));
/** The apply under way on a drawing, if any: a window opened late finds it here. */
export const useRunningApply = (drawing: string) => useHub((s) => Object.values(s.applies).find((a) => a.drawing === drawing && a.state === "running"));

/** Progress comes by the stream. All reject with ApiError. */
export const applyActions = {
  preview: (drawing: string, d: Decisions, signal?: AbortSignal) => hub.preview(drawing, d, signal),
  apply: (drawing: string, body: Decisions & { hash: string; deleteAgents: boolean; note?: string }) => hub.apply(drawing, body).then((r) => put(r.apply)),
  cancel: (id: string) => hub.cancelApply(id).then((r) => put(r.apply)),
  refresh: (id: string) => hub.applyState(id).then((r) => put(r.apply)),
  rollback: (gateway: string, body: { snapshotId: string; drawing?: string; deleteAgents: boolean }) => hub.rollback(gateway, body).then((r) => put(r.apply)),
};
