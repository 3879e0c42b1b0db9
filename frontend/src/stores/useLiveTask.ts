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

/** One task, while it is looked at: what is known of it, and what it says, as it says it. */
export function useLiveTask(id: string): LiveTask & { retry: () => void } {
  const [live, setLive] = useState<LiveTask>(() => fresh(id));
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let gone = false, timer: ReturnType<typeof setTimeout> | undefined;
    let following: { stop: () => void } | undefined;
    const put = (change: Partial<LiveTask> | ((l: LiveTask) => Partial<LiveTask>)) => {
      if (!gone) setLive((had) => { const l = had.id === id ? had : fresh(id); return { ...l, ...(typeof change === "function" ? change(l) : change) }; });
    };
    const read = () => tasksApi.task(id).then((detail) => {
      put({ detail, error: undefined });
      if (gone) return;
      following ??= followTask(id, 0, {
        onLink: (link) => put({ link }),
        onEvents: (list) => { put((l) => ({ output: addEvents(l.output, list) })); if (list.some(steps)) soon(); },
      });
    }, (e: unknown) => put({ error: asApiError(e) }));
    const soon = () => { clearTimeout(timer); timer = setTimeout(() => void read(), settle); };
    void read();
    // What it waits for may be another whenever somebody begins or ends something, or a team is applied.
    const off = onHub({ notify: (n) => { if (n.work || n.reset) soon(); } });
    return () => { gone = true; clearTimeout(timer); off(); following?.stop(); };
  }, [id, tries]);
  const retry = useCallback(() => setTries((n) => n + 1), []);
  return { ...(live.id === id ? live : fresh(id)), retry };
}
