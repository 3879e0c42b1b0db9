import { useCallback, useEffect, useState } from "react";
import { asApiError, type ApiError } from "../api/error";
import type { LinkState } from "../api/socket";
import { followTask, tasksApi } from "../api/tasks";
import type { TaskDetail, TaskEvent } from "../topology";
import { onHub } from "./hub";
import { addEvents, noOutput, type Output } from "./taskOutput";

export type LiveTask = { id: string; detail?: TaskDetail; error?: ApiError; output: Output; link: LinkState };

const fresh = (id: string): LiveTask => ({ id, output: noOutput, link: "connecting" });
const settle = 120;
const steps = (e: TaskEvent) => e.type === "end" || e.type === "log" || e.agent !== undefined;

type Change = Partial<LiveTask> | ((l: LiveTask) => Partial<LiveTask>);

/** Reads a task and follows what it says until it is stopped. */
export function watchLive(id: string, put: (change: Change) => void): () => void {
  let gone = false,
    timer: ReturnType<typeof setTimeout> | undefined,
    following: { stop: () => void } | undefined;
  const tell = (change: Change) => {
    if (!gone) put(change);
  };
  const read = () =>
    tasksApi.task(id).then(
      (detail) => {
        tell({ detail, error: undefined });
        if (gone) return;
        following ??= followTask(id, 0, {
          onLink: (link) => tell({ link }),
          onEvents: (list) => {
            tell((l) => ({ output: addEvents(l.output, list) }));
            if (list.some(steps)) soon();
          },
        });
      },
      (e: unknown) => tell({ error: asApiError(e) }),
    );
  // What comes in the meantime is read with it: of a task that says something all the time the head is read all the time.
  const soon = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      void read();
    }, settle);
  };
  void read();
  // What it waits for may be another whenever somebody begins or ends something, or a team is applied. It also changes
  // without an event of the task, for example when the task is resumed.
  const off = onHub({
    notify: (n) => {
      if (n.work || n.reset || n.tasksMany || n.tasks?.some((t) => t.taskId === id)) soon();
    },
  });
  return () => {
    gone = true;
    clearTimeout(timer);
    off();
    following?.stop();
  };
}

/** One task, while it is looked at: what is known of it, and what it says, as it says it. */
export function useLiveTask(id: string): LiveTask & { retry: () => void } {
  const [live, setLive] = useState<LiveTask>(() => fresh(id));
  const [tries, setTries] = useState(0);
  useEffect(
    () =>
      watchLive(id, (change) =>
        setLive((had) => {
          const l = had.id === id ? had : fresh(id);
          return { ...l, ...(typeof change === "function" ? change(l) : change) };
        }),
      ),
    [id, tries],
  );
  const retry = useCallback(() => setTries((n) => n + 1), []);
  return { ...(live.id === id ? live : fresh(id)), retry };
}
