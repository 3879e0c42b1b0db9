import { useEffect, useState } from "react";
import { tasksApi } from "../api/tasks";
import type { Question } from "../topology";

/** A task that stands still: what it is called, and who waits with it, the one that asks last. One task each. */
export type Held = { id: string; title: string; type: string; waiting: string[] };

/** The shape of the ids that the hub gives its tasks. */
const ownId = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/** The task that a question is asked for; nothing while it is read, and where this hub has no such task: agents elsewhere may name what they like. */
export function useHeldTask({ task, elsewhere }: Pick<Question, "task" | "elsewhere">): Held | undefined {
  const id = task && (!elsewhere || ownId.test(task)) ? task : undefined;
  const [held, setHeld] = useState<Held>();
  useEffect(() => {
    if (!id) return;
    let over = false;
    tasksApi.task(id).then(
      (t) => {
        const ended = t.status === "completed" || t.status === "failed",
          last = t.attempts?.at(-1)?.agent;
        if (!over)
          setHeld({
            id,
            title: t.userPrompt.trim().split("\n", 1)[0] ?? "",
            type: t.taskType,
            waiting: ended ? [] : [...(t.trace?.chain ?? []), ...(last ? [last] : [])],
          });
      },
      () => undefined,
    );
    return () => {
      over = true;
    };
  }, [id]);
  return held?.id === id ? held : undefined;
}
