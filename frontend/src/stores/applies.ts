import { saveBytes } from "../api/files";
import { hub, type Decisions } from "../api/hub";
import type { Apply, ApplyRequest, RollbackRequest } from "../topology";
import { useHub } from "./hub";

const along = (a: Apply) => (a.endedAt ? 100 : a.steps.filter((s) => s.state !== "waiting").length);

/** Takes an answer, unless the stream was faster and has told more already. */
function put(a: Apply): Apply {
  useHub.setState((s) => {
    const had = s.applies[a.id];
    return had && along(had) > along(a) ? s : { applies: { ...s.applies, [a.id]: a } };
  });
  return a;
}

export const useApply = (id: string | undefined) => useHub((s) => (id ? s.applies[id] : undefined));
/** The apply under way on a team, if any: a window opened late finds it here. */
export const useRunningApply = (team: string) =>
  useHub((s) => Object.values(s.applies).find((a) => a.team === team && a.state === "running"));

/** For as long as no other apply or rollback was started on the gateway of this one. After that, its notice is old. */
export const whileNewest = (a: Apply) => ({
  holds: () =>
    !Object.values(useHub.getState().applies).some(
      (b) => b.gateway === a.gateway && b.id !== a.id && Date.parse(b.startedAt) > Date.parse(a.startedAt),
    ),
  subscribe: useHub.subscribe,
});

/** The rollback on a gateway that the end of the hub cut off, if nothing was begun there since. */
export function interruptedOn(applies: Readonly<Record<string, Apply>>, gateway: string): Apply | undefined {
  const [newest] = Object.values(applies)
    .filter((a) => a.gateway === gateway)
    .sort((a, b) => Date.parse(b.startedAt) - Date.parse(a.startedAt));
  return newest?.error?.details?.reason === "interrupted" ? newest : undefined;
}

/** Progress comes by the stream. All reject with ApiError. */
export const applyActions = {
  preview: (team: string, decisions: Decisions, signal?: AbortSignal) => hub.preview(team, decisions, signal),
  previewRollback: (gateway: string, snapshotId: string) => hub.previewRollback(gateway, snapshotId),
  apply: (team: string, body: ApplyRequest) => hub.apply(team, body).then((r) => put(r.apply)),
  /** Returns the path or name, "" when the person changed their mind. */
  saveConfig: (name: string, text: string) => saveBytes(name, new Blob([text], { type: "text/plain;charset=utf-8" })),
  cancel: (id: string) => hub.cancelApply(id).then((r) => put(r.apply)),
  refresh: (id: string) => hub.applyState(id).then((r) => put(r.apply)),
  rollback: (gateway: string, body: RollbackRequest) => hub.rollback(gateway, body).then((r) => put(r.apply)),
};
