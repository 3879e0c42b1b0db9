import type { Agent } from "@/topology";
import { findBlocks, withBlock, withoutBlock } from "@/topology/blocks";
import { editFiles, type Texts, type Trouble } from "@/stores/fileEdits";

const FILE = "AGENTS.md";

export const told = (a: Agent): boolean => findBlocks(a.files?.[FILE]?.content ?? "", FILE).length > 0;

/** Puts the team's block into AGENTS.md of each agent, or takes it out: all of them in one step, or none. */
export async function tellAll(agents: readonly Agent[], on: boolean, label: string): Promise<Trouble | undefined> {
  const change = new Set(agents.filter((a) => told(a) !== on).map((a) => a.id));
  return editFiles(
    FILE,
    (a) => change.has(a.id),
    (a, text): Texts => {
      if (!change.has(a.id) || told(a) === on) return {}; // somebody was quicker
      const without = withoutBlock(text, FILE);
      return { [FILE]: on ? withBlock(without, FILE) : without };
    },
    label,
  );
}
