import { client as c, take, within } from "./client";
import type { PushEdit } from "./types";

/** Requests about push notifications of this browser. */
export const push = {
  state: () => take(c.GET("/api/push", { signal: within() })),
  key: () => take(c.GET("/api/push/key", { signal: within() })),
  on: (edit: PushEdit) => take(c.PUT("/api/push", { body: edit, signal: within() })),
  off: () => take(c.DELETE("/api/push", { signal: within() })),
  test: () => take(c.POST("/api/push/test", { signal: within() })),
};
