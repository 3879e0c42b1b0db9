import type { Agent, AgentID } from "@/topology";
import { addShared, findShared, removeShared, replaceShared } from "@/topology/shared";
import { editFiles, type Texts, type Trouble } from "@/stores/fileEdits";

export type SharedEdit = {
  /** What the block is called so far; undefined for a new one. */ was?: string;
  name: string;
  text: string;
  /** The file of an agent that gets the block. One that has it keeps it where it is. */ file: string;
  agents: ReadonlySet<AgentID>;
};

const holds = (text: string, name: string) => findShared(text).some((b) => b.name === name);

/** Whether a file in the draft of an agent has a block. */
export const hasShared = (a: Agent, name: string): boolean =>
  Object.values(a.files ?? {}).some((f) => holds(f.content, name));

/** Gives a block its name, its text and the agents that have it: in all files in one step, or none. */
export function shareBlock({ was, name, text, file, agents }: SharedEdit): Promise<Trouble | undefined> {
  const old = was ?? name;
  return editFiles(
    file,
    (a) => agents.has(a.id) && !hasShared(a, old),
    (a, read) => {
      const out: Texts = {};
      for (const [held, { content }] of Object.entries(a.files ?? {})) {
        if (!holds(content, old)) continue;
        out[held] = agents.has(a.id) ? replaceShared(content, old, text, name) : removeShared(content, old);
      }
      // The gateway's file can have it, too, with the draft knowing nothing of it.
      if (agents.has(a.id) && !Object.keys(out).length)
        out[file] = holds(read, old) ? replaceShared(read, old, text, name) : addShared(read, name, text);
      return out;
    },
    name,
  );
}
