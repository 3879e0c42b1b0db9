import { create } from "zustand";
import { persist } from "zustand/middleware";
import type { SubmitTask } from "../topology";
import { useUi } from "./ui";

export type TaskType = SubmitTask["taskType"];
export const TASK_TYPES: readonly TaskType[] = ["chat", "command_execution", "file_operation", "complex_task"];

export type TaskDraft = {
  text: string;
  type: TaskType;
  /** "" is the team. */
  agent: string;
  priority: number;
  /** 0: no limit. */
  minutes: number;
  /** Made when it is sent first, and kept until something of it is changed: however often it is sent, it is one task. */
  key: string;
};
export const emptyDraft: TaskDraft = { text: "", type: "chat", agent: "", priority: 0, minutes: 0, key: "" };

/** A task that is being written; it survives a look elsewhere and a reload. */
export const useTaskDraft = create<TaskDraft & { asked: number }>()(persist(() => ({ ...emptyDraft, asked: 0 }), {
  name: "agentflow.taskDraft", partialize: ({ text, type, agent, priority, minutes, key }) => ({ text, type, agent, priority, minutes, key }),
}));

export const changeDraft = (change: Partial<Omit<TaskDraft, "key">>) => useTaskDraft.setState({ ...change, key: "" });
/** Goes to the composer, ready to write, with a task for somebody. */
export function askForTask(agent?: string): void {
  useTaskDraft.setState((s) => ({ ...(agent === undefined || agent === s.agent ? {} : { agent, key: "" }), asked: s.asked + 1 }));
  if (useUi.getState().screen !== "tasks") useUi.getState().go("tasks");
}
/** What was sent is written off; whom and what kind stays for the next one. */
export const draftSent = () => useTaskDraft.setState({ text: "", key: "" });

export function draftKey(): string {
  const { key } = useTaskDraft.getState();
  if (key) return key;
  const made = Array.from(crypto.getRandomValues(new Uint8Array(16)), (b) => b.toString(16).padStart(2, "0")).join("");
  useTaskDraft.setState({ key: made });
  return made;
}
