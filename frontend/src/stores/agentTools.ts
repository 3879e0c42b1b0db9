import { hub } from "../api/hub";
import type { AgentTools } from "../topology";
import { useHub } from "./hub";
import { useRead } from "./read";
import { useTarget, useTeam } from "./team";

/**
 * What the team's gateway knows of the tools and skills for an agent; without an ID, for agents in general. Nothing
 * while the gateway can't be asked: names can be typed without it.
 */
export function useAgentTools(agent: string): AgentTools {
  const gateway = useTeam((s) => s.gateway),
    base = useTeam((s) => s.base),
    up = useHub((s) => s.link === "open"),
    target = useTarget();
  const online = up && target?.state === "connected" && !target.builtin;
  const { data } = useRead({
    key: ["agentTools", gateway, agent],
    on: [base?.snapshotId, base?.readAt, target?.configHash, target?.serverVersion, online],
    when: online,
    read: (signal) => hub.agentTools(gateway, agent, signal),
  });
  return (online && data) || nothing;
}

const nothing: AgentTools = {};
