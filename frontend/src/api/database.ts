import { client as c, take, within } from "./client";
import type { CleanUp } from "./types";

const patient = 3_600_000;

/** Requests about the database as a whole. */
export const database = {
  size: (signal?: AbortSignal) => take(c.GET("/api/data", { signal: within(60_000, signal) })),
  backup: (signal?: AbortSignal) =>
    take<Blob>(c.GET("/api/data/backup", { parseAs: "blob", signal: within(patient, signal) })),
  stage: (file: Blob, signal?: AbortSignal) =>
    take(
      c.POST("/api/data/staged", {
        body: file as unknown as string,
        bodySerializer: (b) => b,
        headers: { "Content-Type": "application/octet-stream" },
        signal: within(patient, signal),
      }),
    ),
  dropStaged: () => take(c.DELETE("/api/data/staged", { signal: within() })),
  restore: () => take(c.POST("/api/data/restore", { signal: within() })),
  previewCleanUp: (body: CleanUp, signal?: AbortSignal) =>
    take(c.POST("/api/data/clean-up/preview", { body, signal: within(60_000, signal) })),
  cleanUp: (body: CleanUp) => take(c.POST("/api/data/clean-up", { body, signal: within(patient) })),
};
