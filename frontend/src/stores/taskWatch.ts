import { create } from "zustand";
import { persist } from "zustand/middleware";
import { tasksApi } from "../api/tasks";
import type { TaskSummary } from "../topology";
import { askPermission, canNotify, mayTell } from "./desktop";
import { onHub } from "./hub";
import { hasEnded } from "./taskStatus";

const most = 50;

/** Tasks of whose end the person wants to hear; it survives a reload. */
export const useTaskWatch = create<{ ids: string[] }>()(
  persist(() => ({ ids: [] as string[] }), { name: "agentflow.taskWatch" }),
);

/**
 * Tells of a task's end, or does not any more. Asks for permission the first time, on the person's click. False where
 * the browser says no; where it has no notices, the page tells.
 */
export async function watchTask(id: string, on: boolean): Promise<boolean> {
  if (on && canNotify() && !(await askPermission())) return false;
  useTaskWatch.setState((s) => ({
    ids: on ? [...s.ids.filter((x) => x !== id), id].slice(-most) : s.ids.filter((x) => x !== id),
  }));
  return true;
}

/** A task that was given here is watched, if the person has said yes before. */
export const watchGiven = (id: string) => {
  if (mayTell()) void watchTask(id, true);
};

type Ended = Pick<TaskSummary, "taskId" | "title" | "status" | "exitCode" | "timedOut">;
/** What a command ended with, where the result is one's. */
type Ran = Pick<TaskSummary, "exitCode" | "timedOut">;

const ranOf = (r: Ran | undefined): Ran => ({ exitCode: r?.exitCode, timedOut: r?.timedOut });

/** Calls `tell` once for each watched task that ends. */
export function followWatched(tell: (t: Ended) => void): () => void {
  const told = (t: Ended) => {
    if (!hasEnded(t.status) || !useTaskWatch.getState().ids.includes(t.taskId)) return;
    void watchTask(t.taskId, false);
    tell(t);
  };
  // After a gap, no event reports the tasks that ended meanwhile.
  const ask = () => {
    for (const id of useTaskWatch.getState().ids) {
      tasksApi.task(id).then(
        (t) =>
          told({
            taskId: id,
            title: t.userPrompt.trim().split("\n", 1)[0] ?? "",
            status: t.status,
            ...(t.taskType === "command_execution" && ranOf(t.result as Ran | undefined)),
          }),
        () => undefined,
      );
    }
  };
  const off = onHub({
    notify: (n) => {
      for (const t of n.tasks ?? []) told(t);
      if (n.reset || n.tasksMany) ask();
    },
  });
  ask();
  return off;
}
