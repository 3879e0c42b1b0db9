import { client as c, take, within } from "./client";
import type { RouteFrom } from "./types";

// Apart from the other requests: only the panel with the routes makes them, and it is no part of the first load.

const of = (id: string) => ({ params: { path: { id } }, signal: within() });

export const routesOf = (team: string) => take(c.GET("/api/teams/{id}/routes", of(team)));

export const whoAnswers = (team: string, body: RouteFrom) =>
  take(c.POST("/api/teams/{id}/routes/answer", { ...of(team), body }));
