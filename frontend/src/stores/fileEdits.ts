import { filesOf, Unread } from "./agentFiles";
import { asApiError, type ApiError } from "./faults";
import { useTeam } from "./team";
import { findAgent, type Agent, type AgentID } from "../topology";
import { mapAgents } from "../topology/edit";
import { fileFault, withFile } from "../topology/files";

/** Why nothing was changed. */
export type Trouble = { file: string; agent: AgentID } & (
  { why: "couldNot"; error: ApiError } | { why: "unfit" | "long" }
);

/** Texts by file name. */
export type Texts = Record<string, string>;

/**
 * Edits files of several agents in one step, or none. File is the one whose text is read from the gateway where the
 * draft of an agent that needs it doesn't have it. Write returns the files of an agent that change.
 */
export async function editFiles(
  file: string,
  needs: (a: Agent) => boolean,
  write: (a: Agent, text: string) => Texts,
  label: string,
): Promise<Trouble | undefined> {
  const { id, gateway, base, topology } = useTeam.getState(),
    applied = base?.topology;
  const unknown = topology.agents
    .filter((a) => needs(a) && !a.files?.[file] && applied && findAgent(applied, a.id))
    .map((a) => a.id);
  let there;
  try {
    there = await filesOf(gateway, unknown, file);
  } catch (e) {
    if (e instanceof Unread) return { why: "couldNot", file, agent: e.message, error: asApiError(e.cause) };
    throw e;
  }
  const s = useTeam.getState();
  if (s.id !== id || s.gateway !== gateway) return;
  const next = new Map<AgentID, Agent["files"]>();
  for (const a of s.topology.agents) {
    const read = there.get(a.id),
      texts = Object.entries(write(a, (a.files?.[file] ?? read)?.content ?? ""));
    if (!texts.length) continue;
    let files = a.files;
    for (const [name, content] of texts) {
      const theirs = name === file ? read : undefined;
      if (theirs && !files?.[name] && (!theirs.served || theirs.binary))
        return { why: "unfit", file: name, agent: a.id };
      if (fileFault(content)) return { why: "long", file: name, agent: a.id };
      files = withFile(files, name, content, theirs, s.base && findAgent(s.base.topology, a.id)?.files);
    }
    next.set(a.id, files && Object.keys(files).length ? files : undefined);
  }
  if (next.size)
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
