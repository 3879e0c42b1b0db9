import { client as c, take, within } from "./client";
import type { CronJob, CronSchedule } from "./types";

// Apart from the other requests: only the inspector makes them, and it is no part of the first load.

const slow = 120_000;

export type CronEntry = { name: string; agentId: string; message: string; schedule: CronSchedule };
export type CronEdit = { name?: string; message?: string; schedule?: CronSchedule; enabled?: boolean };

/** The requests about a gateway's cron jobs. */
export const cron = {
  list: (gateway: string) =>
    take(c.POST("/api/gateway/cron/list", { body: { gateway }, signal: within() })).then((r) => r.jobs),
  add: (gateway: string, entry: CronEntry) =>
    take(c.POST("/api/gateway/cron/add", { body: { gateway, ...entry }, signal: within(slow) })),
  change: (gateway: string, { id, revision }: CronJob, edit: CronEdit) =>
    take(c.POST("/api/gateway/cron/update", { body: { gateway, id, revision, ...edit }, signal: within(slow) })),
  remove: (gateway: string, id: string) =>
    take(c.POST("/api/gateway/cron/remove", { body: { gateway, id }, signal: within(slow) })),
  /** An early gateway answers when the run has ended. */
  run: (gateway: string, id: string) =>
    take(c.POST("/api/gateway/cron/run", { body: { gateway, id }, signal: within(3 * slow) })),
  runs: (gateway: string, id: string) =>
    take(c.POST("/api/gateway/cron/runs", { body: { gateway, id, limit: 10 }, signal: within() })).then((r) => r.runs),
};
