import { mapAgents } from "./edit";
import type { Saved, Topology } from "./types";

/**
 * The team with the texts that the hub wrote into files of the one that it was sent. A file that was edited here since
 * stays: the hub goes over it with the next save.
 */
export const withFollowed = (t: Topology, sent: Topology, followed: Saved["followed"]): Topology =>
  followed
    ? mapAgents(t, (a) => {
        const was = followed[a.id] && sent.agents.find((s) => s.id === a.id)?.files,
          files = { ...a.files };
        for (const [name, file] of Object.entries(followed[a.id] ?? {}))
          if (was && files[name]?.content === was[name]?.content) files[name] = file;
        return was ? { ...a, files } : a;
      })
    : t;
