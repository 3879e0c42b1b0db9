import { tasksApi } from "../api/tasks";
import type { Question, TaskDetail } from "../topology";
import { useRead } from "./read";
import { hasEnded } from "./taskStatus";

/** A task that stands still: what it is called, and who waits with it, the one that asks last. One task each. */
export type Held = { id: string; title: string; type: string; waiting: string[] };

/** The shape of the ids that the hub gives its tasks. */
const ownId = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/** The task that a question is asked for; nothing while it is read, and where this hub has no such task: agents elsewhere may name what they like. */
export function useHeldTask({ task, elsewhere }: Pick<Question, "task" | "elsewhere">): Held | undefined {
  const id = task && (!elsewhere || ownId.test(task)) ? task : "";
  return useRead({ key: ["heldTask", id], when: !!id, read: () => tasksApi.task(id).then((t) => heldOf(id, t)) }).data;
}

function heldOf(id: string, t: TaskDetail): Held {
  const last = t.attempts?.at(-1)?.agent;
  return {
    id,
    title: t.userPrompt.trim().split("\n", 1)[0] ?? "",
    type: t.taskType,
    waiting: hasEnded(t.status) ? [] : [...(t.trace?.chain ?? []), ...(last ? [last] : [])],
  };
}
