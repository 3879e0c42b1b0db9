import { useHub } from "@/stores/hub";

/** Whether a question about the task waits for the person. */
export const useAsks = (task: string): boolean => useHub((s) => s.inbox.some((q) => q.task === task));
