import { client as c, take, within } from "./client";
import { keepSocket, type LinkState } from "./socket";
import type { SubmitTask, TaskEvent, TaskQuery } from "./types";

const of = (taskId: string) => ({ params: { path: { taskId } }, signal: within() });

export const tasksApi = {
  list: (query: TaskQuery, signal?: AbortSignal) =>
    take(c.GET("/api/tasks", { params: { query }, signal: within(undefined, signal) })),
  agents: () => take(c.GET("/api/task-agents", { signal: within() })).then((r) => r.agents),
  task: (id: string) => take(c.GET("/tasks/{taskId}", of(id))),
  /** The same key twice is one task. */
  submit: (body: SubmitTask, key: string) =>
    take(c.POST("/submit_task", { params: { header: { "Idempotency-Key": key } }, body, signal: within() })),
  cancel: (id: string) => take(c.POST("/tasks/{taskId}/cancel", of(id))),
  resume: (id: string) => take(c.POST("/tasks/{taskId}/resume", of(id))),
  retry: (id: string) => take(c.POST("/tasks/{taskId}/retry", of(id))),
};

export type TaskFrames = {
  /** What came, in the order of seq; none twice, none left out. */
  onEvents: (list: TaskEvent[]) => void;
  onLink: (s: LinkState) => void;
};

const frame = 16;

/** Reads a task's events from `after` on, to its end. A lost link goes on where it was. */
export function followTask(id: string, after: number, { onEvents, onLink }: TaskFrames): { stop: () => void } {
  let due: ReturnType<typeof setTimeout> | undefined,
    last = after,
    over = false,
    came: TaskEvent[] = [];

  // A burst is shown once a frame.
  const hand = () => {
    due = undefined;
    const list = came;
    came = [];
    if (list.length) onEvents(list);
  };
  const onFrame = (f: object) => {
    const e = f as TaskEvent;
    if (over || e.seq <= last) return;
    if (e.seq > last + 1) {
      socket.renew();
      return;
    }
    last = e.seq;
    over = e.type === "end";
    came.push(e);
    due ??= setTimeout(hand, frame);
  };
  const socket = keepSocket(() => `/tasks/${encodeURIComponent(id)}/stream?after=${last}`, {
    onFrame,
    onLink,
    onClose: () => over,
  });
  return {
    stop: () => {
      clearTimeout(due);
      socket.stop();
    },
  };
}
