import { client as c, take, within } from "./client";
import type { AuditFilter, CallerEdit, DefaultBudgets, NetworksEdit } from "./types";

const of = (id: string) => ({ params: { path: { id } }, signal: within() });
const patient = 600_000;

/** Requests about who may reach the hub, who did, and what tasks may cost. */
export const security = {
  stand: () => take(c.GET("/api/security", { signal: within() })),
  putNetworks: (body: NetworksEdit) => take(c.PUT("/api/security/networks", { body, signal: within() })),
  lift: (address: string) =>
    take(c.DELETE("/api/security/lockouts", { params: { query: { address } }, signal: within() })),
  logins: () => take(c.GET("/api/logins", { signal: within() })).then((r) => r.logins),
  endLogin: (id: string) => take(c.DELETE("/api/logins/{id}", of(id))).then((r) => r.logins),
  endOtherLogins: () =>
    take(c.DELETE("/api/logins", { params: { query: { others: true } }, signal: within() })).then((r) => r.logins),
  addCaller: (body: CallerEdit) => take(c.POST("/api/security/callers", { body, signal: within() })),
  changeCaller: (id: string, body: CallerEdit) => take(c.PUT("/api/security/callers/{id}", { ...of(id), body })),
  rotateCaller: (id: string) => take(c.POST("/api/security/callers/{id}/rotate", of(id))),
  revokeCaller: (id: string) => take(c.DELETE("/api/security/callers/{id}", of(id))),
  audit: (filter: AuditFilter, before?: number) =>
    take(c.GET("/api/security/audit", { params: { query: { ...filter, before, limit: 50 } }, signal: within() })),
  auditLines: (filter: AuditFilter) =>
    take<Blob>(
      c.GET("/api/security/audit.jsonl", { params: { query: filter }, parseAs: "blob", signal: within(patient) }),
    ),
  auditPrompts: (auditsPrompts: boolean) =>
    take(c.PUT("/api/security/audit", { body: { auditsPrompts }, signal: within() })),
  budgets: () => take(c.GET("/api/budgets", { signal: within() })),
  putBudgets: (body: DefaultBudgets) => take(c.PUT("/api/budgets", { body, signal: within() })),
};
