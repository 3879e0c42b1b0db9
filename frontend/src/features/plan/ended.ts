import type { PlanProposal, PlanWhole } from "@/topology";

const changedNothing = (p: PlanProposal) => p.state === "refused" && p.patch?.payload.operations.length === 0;

/**
 * The last request, if nothing came of it and nothing was done since: no other proposal was decided, and the plan
 * wasn't started.
 */
export function endedLast(
  whole: Pick<PlanWhole, "asking" | "proposals"> & { work?: { beganAt: string } },
): PlanProposal | undefined {
  const last = whole.proposals.at(-1);
  if (whole.asking || !last?.endedAt) return undefined;
  const end = Date.parse(last.endedAt),
    since = [...whole.proposals.map((p) => p.endedAt), whole.work?.beganAt];
  if (since.some((at) => at && Date.parse(at) > end)) return undefined;
  return last.state === "failed" || last.state === "canceled" || changedNothing(last) ? last : undefined;
}
