import { cron, type CronEdit, type CronEntry } from "../api/cron";
import type { CronJob, CronRun } from "../api/types";
import { useHub } from "./hub";
import { useRead, type Read } from "./read";
import { useTarget, useTeam } from "./team";

export type { CronEdit, CronEntry } from "../api/cron";
export type { CronJob, CronRun, CronSchedule } from "../api/types";
export type CronAct = "list" | "add" | "update" | "remove" | "run" | "runs";

const none: readonly CronAct[] = [];

export type CronOf = Read<CronJob[]> & {
  gateway: string;
  online: boolean;
  /** The gateway's scheduler is switched off: no job runs at its time. */ off: boolean;
  /** What the gateway offers to do with cron jobs. */ acts: readonly CronAct[];
};

/** The cron jobs of an agent on the team's gateway: read again whenever the gateway tells that one changed. */
export function useCron(agent: string): CronOf {
  const gateway = useTeam((s) => s.gateway),
    up = useHub((s) => s.link === "open"),
    target = useTarget(),
    online = up && target?.state === "connected",
    acts = target?.cron?.acts ?? none;
  const read = useRead({
    key: ["cron", gateway],
    on: [target?.cron?.readAt, online],
    when: online && acts.includes("list"),
    read: () => cron.list(gateway),
  });
  const data = read.data?.filter((j) => j.agentId === agent);
  return { ...read, data, gateway, online, acts, off: !!target?.cron?.off };
}

/** The last runs of a job. */
export const useCronRuns = (gateway: string, job: CronJob): Read<CronRun[]> =>
  useRead({ key: ["cronRuns", gateway, job.id], on: [job.lastRunAt], read: () => cron.runs(gateway, job.id) });

/** What is done with a job. All reject with ApiError. */
export const cronActs = {
  add: (gateway: string, entry: CronEntry) => cron.add(gateway, entry),
  change: (gateway: string, job: CronJob, edit: CronEdit) => cron.change(gateway, job, edit),
  remove: (gateway: string, job: CronJob) => cron.remove(gateway, job.id),
  run: (gateway: string, job: CronJob) => cron.run(gateway, job.id),
};
