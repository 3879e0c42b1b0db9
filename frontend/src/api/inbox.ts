import { client as c, take, within } from "./client";
import type { AnswerChoice, StandingPermission } from "./types";

/** Requests about what waits for the person. What waits now comes by the stream. */
export const inbox = {
  ended: (before?: string, signal?: AbortSignal) =>
    take(
      c.GET("/api/inbox", {
        params: { query: { state: "ended", before, limit: 50 } },
        signal: within(undefined, signal),
      }),
    ),
  answer: (
    id: string,
    choice: AnswerChoice,
    word?: string,
    standing?: StandingPermission,
    answers?: Record<string, string[]>,
  ) =>
    take(
      c.POST("/api/inbox/{id}/answer", {
        params: { path: { id } },
        body: { choice, word: word || undefined, standing, answers },
        signal: within(),
      }),
    ),
  rules: (signal?: AbortSignal) => take(c.GET("/api/inbox/rules", { signal: within(undefined, signal) })),
  dropRule: (id: string) => take(c.DELETE("/api/inbox/rules/{id}", { params: { path: { id } }, signal: within() })),
};
