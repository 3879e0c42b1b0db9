import { agentFile, agentFiles, fileSnapshot, fileSnapshots } from "../api/agentFiles";
import type { AgentID, Workspace, WorkspaceFile } from "../topology";
import { useHub } from "./hub";
import { useRead, type Read } from "./read";
import { useTarget, useTeam } from "./team";

/** What the files of the target gateway rest on: they are read again once the team was applied, rolled back or read. */
function useStand() {
  const gateway = useTeam((s) => s.gateway),
    base = useTeam((s) => s.base),
    up = useHub((s) => s.link === "open"),
    state = useTarget()?.state;
  return { gateway, on: [base?.snapshotId, base?.readAt, up, state], online: up && state === "connected" };
}

export type OfGateway<T> = Read<T> & { online: boolean };

/** Which workspace files an agent has on the team's gateway. */
export function useAgentFiles(agent: AgentID): OfGateway<Workspace> {
  const { gateway, on, online } = useStand();
  const read = useRead({
    key: ["agentFiles", gateway, agent],
    on,
    when: online,
    read: () => agentFiles(gateway, agent),
  });
  return { ...read, online };
}

/** One workspace file with its text; not read while the gateway doesn't have the agent. */
export function useAgentFile(agent: AgentID, name: string, known: boolean): OfGateway<WorkspaceFile> {
  const { gateway, on, online } = useStand();
  const read = useRead({
    key: ["agentFile", gateway, agent, name],
    on,
    when: online && known,
    read: () => agentFile(gateway, agent, name),
  });
  return { ...read, online };
}

/** Workspace files of several agents, as the gateway has them. The first one that can't be read ends it. */
export async function filesOf(
  gateway: string,
  agents: readonly AgentID[],
  name: string,
): Promise<Map<AgentID, WorkspaceFile>> {
  const found = new Map<AgentID, WorkspaceFile>(),
    rest = [...agents];
  const reader = async () => {
    for (let id = rest.shift(); id !== undefined; id = rest.shift())
      try {
        found.set(id, await agentFile(gateway, id, name));
      } catch (e) {
        rest.length = 0;
        throw new Unread(id, { cause: e });
      }
  };
  await Promise.all(Array.from({ length: 4 }, reader));
  return found;
}

/** The file of this agent couldn't be read. */
export class Unread extends Error {}

export const fileHistory = {
  /** Workspace files as they were seen on a gateway, newest first. */
  list: (gateway: string) => fileSnapshots(gateway).then((r) => r.files),
  /** One of them beside another one, or beside the same file before. */
  compare: (gateway: string, b: string, a?: string) => fileSnapshot(gateway, b, { with: a }),
};
