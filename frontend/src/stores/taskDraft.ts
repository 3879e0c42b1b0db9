import { create } from "zustand";
export { TASK_TYPES } from "../api/constants";
import { freshId, type AgentID, type SubmitTask, type TaskDetail } from "../topology";
import { useHub } from "./hub";
import { useTeam } from "./team";
import { keepDraft, loadDesk, useDesk } from "./desk";
import { useUi } from "./ui";

export type TaskType = SubmitTask["taskType"];

export type TaskDraft = {
  text: string;
  type: TaskType;
  /** "" is the team. */
  agent: string;
  priority: number;
  /** 0: no limit. */
  minutes: number;
  /** As they were written; "": no limit. */
  tokens: string;
  usd: string;
  /** Made when it is sent first, and kept until something of it is changed: however often it is sent, it is one task. */
  key: string;
};
export const emptyDraft: TaskDraft = {
  text: "",
  type: "chat",
  agent: "",
  priority: 0,
  minutes: 0,
  tokens: "",
  usd: "",
  key: "",
};

/** A task that is being written; it survives a look elsewhere and a reload, kept on the hub's desk. */
export const useTaskDraft = create<TaskDraft & { asked: number }>()(() => ({ ...emptyDraft, asked: 0 }));

const place = "tasks";
const written = ({ text, type, agent, priority, minutes, tokens, usd, key }: TaskDraft) =>
  text ? JSON.stringify({ text, type, agent, priority, minutes, tokens, usd, key }) : "";
useTaskDraft.subscribe((now, before) => {
  if (written(now) !== written(before)) keepDraft(place, written(now));
});

/** Takes up what was begun before, unless something is being written already. */
export async function loadTaskDraft(): Promise<void> {
  await loadDesk();
  const kept = useDesk.getState().places[place]?.draft,
    now = useTaskDraft.getState();
  if (!kept || now.text) return;
  const before = { ...emptyDraft, ...(JSON.parse(kept) as Partial<TaskDraft>) };
  useTaskDraft.setState({ ...before, agent: now.agent || before.agent });
}

export const changeDraft = (change: Partial<Omit<TaskDraft, "key">>) => useTaskDraft.setState({ ...change, key: "" });

/** The name by which tasks know an agent of the open team. */
export function workerOf(id: AgentID): string {
  const { gateway } = useTeam.getState(),
    target = useHub.getState().gateways.find((g) => g.name === gateway);
  return target && target.dialect !== "local" ? `${id}@${target.name}` : id;
}

/** Opens the composer, ready to write a task, for an agent of the open team if given. */
export function askForTask(id?: AgentID): void {
  const agent = id === undefined ? id : workerOf(id);
  useTaskDraft.setState((s) => ({
    ...(agent === undefined || agent === s.agent ? {} : { agent, key: "" }),
    asked: s.asked + 1,
  }));
  if (useUi.getState().screen !== "tasks") useUi.getState().go("tasks");
}
/** What a person wishes of a task, in its context. */
export type Wanted = {
  agent?: string;
  priority?: number;
  timeoutSec?: number;
  budget?: { tokens?: number; usd?: number };
};

/** The budget that a task was given itself; undefined if a default counted. */
export const ownBudget = (task: Pick<TaskDetail, "context">) => (task.context as Wanted | undefined)?.budget;

/** Opens the composer with an earlier task, so that it can get another budget. Returns the draft before. */
export function askAgain(task: Pick<TaskDetail, "userPrompt" | "taskType" | "context">): TaskDraft {
  const { asked: _, ...before } = useTaskDraft.getState(),
    { agent = "", priority = 0, timeoutSec = 0, budget = {} } = (task.context ?? {}) as Wanted;
  useTaskDraft.setState((s) => ({
    ...emptyDraft,
    text: task.userPrompt,
    type: task.taskType,
    agent,
    priority,
    minutes: Math.round(timeoutSec / 60),
    tokens: budget.tokens ? String(budget.tokens) : "",
    usd: budget.usd ? String(budget.usd) : "",
    asked: s.asked + 1,
  }));
  return before;
}
/** Clears the text after it was submitted. The agent and the kind stay for the next task. */
export const draftSent = () => useTaskDraft.setState({ text: "", key: "" });

export function draftKey(): string {
  const { key } = useTaskDraft.getState();
  if (key) return key;
  const made = freshId();
  useTaskDraft.setState({ key: made });
  return made;
}
