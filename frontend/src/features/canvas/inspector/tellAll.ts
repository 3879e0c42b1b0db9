import { filesOf, Unread } from "@/stores/agentFiles";
import { asApiError, type ApiError } from "@/stores/faults";
import { useTeam } from "@/stores/team";
import { findAgent, type Agent, type AgentID } from "@/topology";
import { findBlocks, withBlock, withoutBlock } from "@/topology/blocks";
import { mapAgents } from "@/topology/edit";
import { fileFault, withFile } from "@/topology/files";

const FILE = "AGENTS.md";

export const told = (a: Agent): boolean => findBlocks(a.files?.[FILE]?.content ?? "", FILE).length > 0;

/** Why nothing was changed. */
export type Trouble = { why: "couldNot"; agent: AgentID; error: ApiError } | { why: "unfit" | "long"; agent: AgentID };

/** Puts the team's block into AGENTS.md of each agent, or takes it out: all of them in one step, or none. */
export async function tellAll(agents: readonly Agent[], on: boolean, label: string): Promise<Trouble | undefined> {
  const { id, gateway, base } = useTeam.getState(),
    applied = base?.topology;
  const change = agents.filter((a) => told(a) !== on);
  const unknown = change.filter((a) => !a.files?.[FILE] && applied && findAgent(applied, a.id)).map((a) => a.id);
  let there;
  try {
    there = await filesOf(gateway, unknown, FILE);
  } catch (e) {
    if (e instanceof Unread) return { why: "couldNot", agent: e.message, error: asApiError(e.cause) };
    throw e;
  }
  const s = useTeam.getState();
  if (s.id !== id || s.gateway !== gateway) return;
  const next = new Map<AgentID, Agent["files"]>();
  for (const { id } of change) {
    const now = findAgent(s.topology, id),
      theirs = there.get(id);
    if (!now || told(now) === on) continue; // somebody was quicker
    const held = now.files?.[FILE];
    if (theirs && !held && (!theirs.served || theirs.binary)) return { why: "unfit", agent: id };
    const text = (held ?? theirs)?.content ?? "",
      without = withoutBlock(text, FILE),
      content = on ? withBlock(without, FILE) : without;
    if (fileFault(content)) return { why: "long", agent: id };
    const files = withFile(now.files, FILE, content, theirs, s.base && findAgent(s.base.topology, id)?.files);
    next.set(id, Object.keys(files).length ? files : undefined);
  }
  s.edit(`edit.files|${label}`, (d) =>
    mapAgents(d, (a) => {
      if (!next.has(a.id)) return a;
      const { files: _, ...rest } = a,
        files = next.get(a.id);
      return files ? { ...rest, files } : rest;
    }),
  );
  return undefined;
}
