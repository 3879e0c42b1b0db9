import { database } from "../api/database";
import { ApiError } from "../api/error";
import { saveBytes } from "../api/files";
import type { Backup, CleanUp } from "../topology";

const two = (n: number) => String(n).padStart(2, "0");
const fileName = (d: Date) =>
  `agentflow-${d.getFullYear()}${two(d.getMonth() + 1)}${two(d.getDate())}-${two(d.getHours())}${two(d.getMinutes())}.db`;
/** How long the hub may take to come back with other data, in ms. */
const longest = 120_000;
const pause = (ms: number) => new Promise((done) => setTimeout(done, ms));

export const databaseActions = {
  size: database.size,
  previewCleanUp: database.previewCleanUp,
  cleanUp: (rule: CleanUp) => database.cleanUp(rule),

  /** Saves a copy of everything where the person says; the name, or "" when they changed their mind. */
  backup: async (signal: AbortSignal): Promise<string> =>
    saveBytes(fileName(new Date()), await database.backup(signal)),

  /** Hands a backup to the hub, which checks it. Nothing changes yet. */
  check: (file: File, signal: AbortSignal): Promise<Backup> => database.stage(file, signal),
  forget: () => void database.dropStaged().catch(() => undefined), // the hub drops it at its next start as well

  /** Puts the checked backup in place; the name under which the data of before is kept, once the hub is back with it. */
  restore: async (): Promise<string> => {
    const { aside, round } = await database.restore();
    for (const end = Date.now() + longest; Date.now() < end; await pause(200)) {
      const now = await database.size().then(
        (s) => s.round,
        () => round,
      ); // the hub is away for a moment
      if (now !== round) return aside;
    }
    throw new ApiError({ code: "TIMEOUT", message: "AgentFlow did not come back after the restore" }, 0);
  },
};
