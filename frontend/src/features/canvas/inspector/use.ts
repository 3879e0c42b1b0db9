import { useMemo } from "react";
import { useTeam, type TeamData } from "@/stores/team";
import { useProblems } from "@/stores/trust";
import { updateAgents, type Agent, type AgentID, type Problem } from "@/topology";

/** Sets fields of an agent; typing in one field is one undo step. */
export function setField(agent: Agent, field: keyof Agent, value: unknown, typing = true): void {
  const name = (field === "name" && typeof value === "string" ? value : agent.name) || agent.id;
  useTeam
    .getState()
    .edit(
      `edit.${field}|${name}`,
      (d) => updateAgents(d, [agent.id], { [field]: value }),
      typing ? { typing: true, coalesce: `agent:${agent.id}:${field}` } : {},
    );
}

export type AgentNotes = {
  /** What each changed field was when last read from the gateway. */
  was: Record<string, unknown>;
  /** That an apply would send, as the bar of the canvas counts them. */
  changes: number;
  problem: (field: string) => Problem | undefined;
  problems: Problem[];
  /** The gateway has this agent already. */
  applied: boolean;
};

/** What there is to say about an agent beside its fields. */
export function useAgentNotes(id: AgentID): AgentNotes {
  const changes = useTeam((s) => s.changes),
    staying = useTeam((s) => s.staying),
    all = useProblems(),
    base = useTeam((s) => s.base);
  return useMemo(() => agentNotes(id, { changes, staying, problems: all, base }), [changes, staying, all, base, id]);
}

type Known = Pick<TeamData, "changes" | "staying" | "base"> & { problems: readonly Problem[] };

export function agentNotes(id: AgentID, { changes, staying, problems: all, base }: Known): AgentNotes {
  const mine = changes.filter((c) => c.agent === id && c.subject !== "layout");
  const problems = all.filter((p) => p.agent === id);
  return {
    was: Object.fromEntries<unknown>(
      mine.filter((c) => c.subject === "agent" && c.op === "changed" && c.field).map((c) => [c.field ?? "", c.before]),
    ),
    changes: mine.filter((c) => !staying.includes(changes.indexOf(c))).length,
    problems,
    problem: (field) => problems.find((p) => p.field === field),
    applied: !!base?.topology.agents.some((a) => a.id === id),
  };
}
