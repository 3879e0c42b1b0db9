import type { CronJob, CronRun } from "@/stores/cron";
import { units } from "./when";

const month = 30 * units.d;

export type Monthly = { tokens: number; runs: number; usd?: number };

/**
 * What a job uses in 30 days, by the average of its last runs and their pace; nothing where the gateway doesn't tell
 * the tokens, or the job doesn't run again and again. The cost is there only if it is known of every such run.
 */
export function monthly(job: CronJob, all: readonly CronRun[]): Monthly | undefined {
  const told = all.filter((r) => (r.tokensIn ?? 0) + (r.tokensOut ?? 0) > 0),
    times = all.flatMap((r) => (r.at ? [Date.parse(r.at)] : [])),
    span = Math.max(...times) - Math.min(...times);
  const { kind, everyMs } = job.schedule;
  const runs =
    kind === "every" && everyMs
      ? month / everyMs
      : kind !== "at" && times.length > 1 && span > 0
        ? ((times.length - 1) * month) / span
        : 0;
  if (!job.enabled || !told.length || !runs) return undefined;
  const mean = (of: (r: CronRun) => number) => told.reduce((sum, r) => sum + of(r), 0) / told.length;
  return {
    runs,
    tokens: runs * mean((r) => (r.tokensIn ?? 0) + (r.tokensOut ?? 0)),
    usd: told.every((r) => r.priced) ? runs * mean((r) => r.costUsd ?? 0) : undefined,
  };
}
