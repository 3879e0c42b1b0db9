import { applyActions } from "@/stores/applies";
import { asApiError } from "@/stores/faults";
import { useHub } from "@/stores/hub";
import { askUndo } from "@/stores/reach";
import { useTeam } from "@/stores/team";
import type { AppliedStep, Apply, Preview } from "@/topology";
import { failureOf, namedAgents } from "./applies";
import { fresh, useReview } from "./store";

/**
 * Brings the gateway back to what it held before an apply; what is drawn waits to be applied again. If the gateway
 * changed since the apply, the person sees what an undo would change there first. Rejects with ApiError.
 */
export async function undoApply(a: Apply, deleteAgents = false): Promise<void> {
  if (!a.snapshotId) return;
  useReview.setState({ asking: undefined });
  const { id, base } = useTeam.getState(),
    step = { gateway: a.gateway, snapshotId: a.snapshotId };
  const own = a.team === id && base?.snapshotId === a.snapshotId,
    later = a.team === id && !own && !!base && Date.parse(base.readAt) > Date.parse(a.startedAt);
  const runs = useHub.getState().gateways.find((g) => g.name === a.gateway)?.configHash,
    moved = own && !!runs && runs !== base.hash;
  if ((later || moved) && !deleteAgents) return askUndo(step);
  try {
    const undo = await send(a.gateway, {
      snapshotId: a.snapshotId,
      team: a.team,
      hash: own && !deleteAgents ? base.hash : undefined,
      deleteAgents,
      keep: true,
    });
    undoing.set(undo.id, a);
    useReview.setState({ watching: undo.id, sending: false });
  } catch (e) {
    if (!own || failureOf(asApiError(e)) !== "stale") throw e;
    askUndo(step);
  }
}

/**
 * Starts a rollback. It counts as being sent until the caller has taken the answer, since its end may come before, by
 * the stream.
 */
async function send(...rollback: Parameters<typeof applyActions.rollback>): Promise<Apply> {
  useReview.setState({ sending: true });
  try {
    return await applyActions.rollback(...rollback);
  } catch (e) {
    useReview.setState({ sending: false });
    throw e;
  }
}

/** The same, of what the person has just been shown. The draft stays as it is, unless the team is to follow. */
export async function rollBackTo(step: AppliedStep, seen: Preview, follows?: string): Promise<void> {
  const team = useTeam.getState().id;
  const undo = await send(step.gateway, {
    snapshotId: step.snapshotId,
    team: follows ?? team,
    hash: seen.baseHash,
    deleteAgents: seen.deletions.length > 0,
    keep: !follows,
  });
  useReview.setState({ ...fresh, team, watching: undo.id });
}

const undoing = new Map<string, Apply>();

/** An undo ended because agents would go with it: asks, instead of showing a failure. True when it did. */
export function askBeforeDeleting(a: Apply): boolean {
  const of = undoing.get(a.id);
  if (!of || a.state !== "failed" || failureOf(a.error, a) !== "deletes") return false;
  undoing.delete(a.id);
  useReview.setState({ watching: of.id, asking: { apply: of, agents: namedAgents(a.error) } });
  return true;
}

export const stopAsking = () => useReview.setState({ asking: undefined });
