import { client as c, take, within } from "./client";
import type { TrustSeen } from "./types";

const of = (team: string) => ({ params: { path: { team } }, signal: within() });

/** Requests about what teams ask of the hub's computer, and what is allowed. */
export const trust = {
  all: () => take(c.GET("/api/trust", { signal: within(60_000) })).then((r) => r.teams),
  team: (team: string) => take(c.GET("/api/trust/{team}", of(team))),
  allow: (team: string, agents: TrustSeen[]) =>
    take(c.POST("/api/trust/{team}/allow", { ...of(team), body: { agents } })),
  revoke: (team: string, agents: string[]) =>
    take(c.POST("/api/trust/{team}/revoke", { ...of(team), body: { agents } })),
};
