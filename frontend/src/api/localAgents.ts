import { client as c, take, within } from "./client";
import type { LocalAgentAdd, LocalAgentChange } from "./types";

const slow = 40_000;
const of = (id: string, ms?: number) => ({ params: { path: { id } }, signal: within(ms) });

/** Requests about the agents that run on the hub's computer in processes of their own. */
export const localAgents = {
  add: (body: LocalAgentAdd) => take(c.POST("/api/local-agents", { body, signal: within() })),
  change: (id: string, body: LocalAgentChange) => take(c.PATCH("/api/local-agents/{id}", { ...of(id), body })),
  remove: (id: string) => take(c.DELETE("/api/local-agents/{id}", of(id, slow))),
  start: (id: string) => take(c.POST("/api/local-agents/{id}/start", of(id))),
  stop: (id: string) => take(c.POST("/api/local-agents/{id}/stop", of(id, slow))),
  restart: (id: string) => take(c.POST("/api/local-agents/{id}/restart", of(id, slow))),
  keep: (id: string, name: string, value: string) =>
    take(c.PUT("/api/local-agents/{id}/variables", { ...of(id), body: { name, value } })),
  /** Lines behind `after`; where there is none yet it waits for one. */
  log: (id: string, after: number, wait: number, signal: AbortSignal) =>
    take(
      c.GET("/api/local-agents/{id}/log", {
        params: { path: { id }, query: { after, limit: 2000, wait } },
        signal: within(slow, signal),
      }),
    ),
};
