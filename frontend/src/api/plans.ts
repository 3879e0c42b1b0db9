import { client as c, take, within } from "./client";
import type { NewPlan, PlanOperation, PlanOrder, PlanStatusByHand } from "./types";

const of = (id: string) => ({ params: { path: { id } }, signal: within() });
const proposal = (id: string, proposal: string) => ({ params: { path: { id, proposal } }, signal: within() });
/** A budget in the place of the one that was ordered; what is not given stays. */
export type PlanBudget = { maxTokens?: number; maxUsd?: number };
/** Choosing a model may ask a provider first. */
const patient = 60_000;

/** Requests about plans. Which plans there are comes by the stream. */
export const plansApi = {
  create: (body: NewPlan) => take(c.POST("/api/plans", { body, signal: within(patient) })),
  get: (id: string) => take(c.GET("/api/plans/{id}", of(id))),
  file: (id: string) => take(c.GET("/api/plans/{id}/file", of(id))),
  rename: (id: string, name: string) => take(c.PUT("/api/plans/{id}/name", { ...of(id), body: { name } })),
  remove: (id: string) => take(c.DELETE("/api/plans/{id}", of(id))),
  recover: (id: string) => take(c.POST("/api/plans/{id}/recover", of(id))),
  edit: (id: string, version: number, operations: PlanOperation[], label: string) =>
    take(c.POST("/api/plans/{id}/edit", { ...of(id), body: { version, operations, label } })),
  status: (id: string, version: number, task: string, status: PlanStatusByHand, label: string) =>
    take(c.POST("/api/plans/{id}/status", { ...of(id), body: { version, task, status, label } })),
  undo: (id: string, version: number) => take(c.POST("/api/plans/{id}/undo", { ...of(id), body: { version } })),
  redo: (id: string, version: number) => take(c.POST("/api/plans/{id}/redo", { ...of(id), body: { version } })),
  versions: (id: string) => take(c.GET("/api/plans/{id}/versions", of(id))).then((r) => r.versions),
  compare: (id: string, number: number) =>
    take(c.GET("/api/plans/{id}/versions/{number}", { params: { path: { id, number } }, signal: within() })),
  restore: (id: string, version: number, number: number) =>
    take(
      c.POST("/api/plans/{id}/versions/{number}/restore", {
        params: { path: { id, number } },
        signal: within(),
        body: { version },
      }),
    ),
  ask: (id: string, request: string) =>
    take(c.POST("/api/plans/{id}/requests", { params: { path: { id } }, signal: within(patient), body: { request } })),
  accept: (id: string, p: string, version: number, running: boolean) =>
    take(c.POST("/api/plans/{id}/proposals/{proposal}/accept", { ...proposal(id, p), body: { version, running } })),
  refuse: (id: string, p: string) => take(c.POST("/api/plans/{id}/proposals/{proposal}/refuse", proposal(id, p))),
  cancel: (id: string, p: string) => take(c.POST("/api/plans/{id}/proposals/{proposal}/cancel", proposal(id, p))),
  workers: () => take(c.GET("/api/plans/workers", { signal: within(patient) })).then((r) => r.workers),
  run: (id: string, body: PlanOrder) =>
    take(c.POST("/api/plans/{id}/run", { params: { path: { id } }, signal: within(patient), body })),
  pause: (id: string) => take(c.POST("/api/plans/{id}/pause", { params: { path: { id } }, signal: within(patient) })),
  resume: (id: string, body: PlanBudget) => take(c.POST("/api/plans/{id}/resume", { ...of(id), body })),
  cancelWork: (id: string) =>
    take(c.POST("/api/plans/{id}/cancel", { params: { path: { id } }, signal: within(patient) })),
  retryTask: (id: string, task: string) =>
    take(c.POST("/api/plans/{id}/tasks/{task}/retry", { params: { path: { id, task } }, signal: within() })),
  changes: (id: string, task: string, attempt: number) =>
    take(
      c.GET("/api/plans/{id}/tasks/{task}/changes", {
        params: { path: { id, task }, query: { attempt } },
        signal: within(patient),
      }),
    ),
  side: (id: string, task: string, attempt: number, path: string) =>
    take(
      c.GET("/api/plans/{id}/tasks/{task}/file", {
        params: { path: { id, task }, query: { attempt, path } },
        signal: within(patient),
      }),
    ),
  calls: (id: string, of: { proposal?: string; task?: string }) =>
    take(c.GET("/api/plans/{id}/calls", { params: { path: { id }, query: of }, signal: within() })).then(
      (r) => r.calls,
    ),
};
