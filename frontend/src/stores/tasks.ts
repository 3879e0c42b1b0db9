import { create } from "zustand";
import { asApiError, type ApiError } from "../api/error";
import { tasksApi } from "../api/tasks";
import { plainName } from "../topology/plainName";
import type { Candidate, Notify, SubmitTask, TaskCounts, TaskQuery, TaskStatus, TaskSummary } from "../topology";
import { onHub } from "./hub";

export type TaskFilter = { status: "" | TaskStatus; agent: string; words: string };
export const allTasks: TaskFilter = { status: "", agent: "", words: "" };

type Tasks = {
  items: TaskSummary[];
  counts: TaskCounts;
  /** There are older ones than those that were read. */
  more: boolean;
  state: "none" | "loading" | "ready" | "failed";
  reading: boolean;
  error?: ApiError;
  filter: TaskFilter;
  /** Who of the applied team may be given tasks. */
  agents: Candidate[];
};

const nothing: TaskCounts = { pending: 0, in_progress: 0, completed: 0, failed: 0, canceled: 0, queued: 0, held: 0 };

/** The tasks the person looks at: newest first, as far back as they have scrolled. */
export const useTasks = create<Tasks>()(() => ({
  items: [],
  counts: nothing,
  more: false,
  state: "none",
  reading: false,
  filter: allTasks,
  agents: [],
}));

const page = 100,
  largest = 500;
let run = 0;
/** Tasks that the stream has sent since the list was requested. The list may be older. */
let news: TaskSummary[] | undefined;

const queryOf = ({ status, agent, words }: TaskFilter, limit: number, before?: string): TaskQuery => ({
  limit,
  ...(status && { status }),
  ...(agent && { agent }),
  ...(words.trim() && { q: words.trim() }),
  ...(before && { before }),
});

/** Reads the list again, as far as it was read before. */
export async function readTasks(): Promise<void> {
  const mine = ++run,
    { filter, items: had, state } = useTasks.getState();
  useTasks.setState({ state: state === "ready" ? state : "loading", reading: true, error: undefined });
  news = [];
  try {
    const items: TaskSummary[] = [];
    for (;;) {
      const limit = Math.min(largest, Math.max(page, had.length - items.length));
      const got = await tasksApi.list(queryOf(filter, limit, items.at(-1)?.taskId));
      if (mine !== run) return;
      items.push(...got.tasks);
      if (got.more && items.length < had.length) continue;
      const read = new Map(items.map((t) => [t.taskId, t.updatedAt])),
        newer = news.filter((t) => (read.get(t.taskId) ?? "") < t.updatedAt),
        now = mergeTasks(items, newer, filter);
      news = undefined;
      useTasks.setState({ items: now.items, counts: got.counts, more: got.more, state: "ready", reading: false });
      if (!now.sure) void readTasks();
      return;
    }
  } catch (e) {
    if (mine !== run) return;
    news = undefined;
    useTasks.setState({ state: "failed", reading: false, error: asApiError(e) });
  }
}

/** Reads the next older ones. */
export async function readOlderTasks(): Promise<void> {
  const { items, more, reading, filter, state } = useTasks.getState();
  if (!more || reading || state !== "ready") return;
  const mine = ++run;
  useTasks.setState({ reading: true });
  try {
    const got = await tasksApi.list(queryOf(filter, page, items.at(-1)?.taskId));
    if (mine !== run) return;
    const there = new Set(items.map((t) => t.taskId));
    useTasks.setState((s) => ({
      items: [...s.items, ...got.tasks.filter((t) => !there.has(t.taskId))],
      counts: got.counts,
      more: got.more,
      reading: false,
    }));
  } catch (e) {
    if (mine === run) useTasks.setState({ reading: false, error: asApiError(e) });
  }
}

export function filterTasks(change: Partial<TaskFilter>): void {
  const { filter } = useTasks.getState();
  useTasks.setState({ filter: { ...filter, ...change }, items: [], more: false, state: "loading" });
  void readTasks();
}

export async function readAgents(): Promise<void> {
  try {
    const agents = await tasksApi.agents();
    useTasks.setState({ agents: agents.map((a) => (a.name ? { ...a, name: plainName(a.name) } : a)) });
  } catch {
    /* the list says that the hub is gone; who may be asked stays as it was known */
  }
}

const shown = (t: TaskSummary, f: TaskFilter) =>
  (!f.status || t.status === f.status) && (!f.agent || t.agent === f.agent);

/**
 * Puts the last state of each changed task into the list; false where only the hub can say whether it belongs there.
 */
export function mergeTasks(
  items: TaskSummary[],
  changed: readonly TaskSummary[],
  filter: TaskFilter,
): { items: TaskSummary[]; sure: boolean } {
  const at = new Map(items.map((t, i) => [t.taskId, i])),
    next: (TaskSummary | undefined)[] = items.slice();
  const fresh: TaskSummary[] = [];
  let sure = true;
  for (const t of new Map(changed.map((t) => [t.taskId, t])).values()) {
    const i = at.get(t.taskId),
      fits = shown(t, filter);
    if (i !== undefined) next[i] = fits ? t : undefined;
    else if (fits && filter.words) sure = false;
    else if (fits && (!items[0] || t.createdAt > items[0].createdAt)) fresh.push(t);
    else if (fits) sure = false;
  }
  fresh.sort((a, b) => b.createdAt.localeCompare(a.createdAt) || b.taskId.localeCompare(a.taskId));
  return { items: [...fresh, ...next.filter((t) => t !== undefined)], sure };
}

/** Keeps list and numbers as the hub has them, while somebody looks. */
export function followTasks(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined,
    due = false,
    whole = false;
  const look = async () => {
    due = false;
    const all = whole;
    whole = false;
    if (all) {
      await Promise.all([readTasks(), readAgents()]);
      return;
    }
    await readAgents();
    try {
      useTasks.setState({ counts: (await tasksApi.list({ limit: 1 })).counts });
    } catch {
      /* asked again with the next change */
    }
  };
  const soon = (all: boolean) => {
    whole ||= all;
    if (due) return;
    due = true;
    timer = setTimeout(() => void look(), 400);
  };
  const off = onHub({
    notify: (n: Notify) => {
      if (n.reset) {
        soon(true);
        return;
      }
      if (!n.work && !n.tasks && !n.tasksMany) return;
      if (n.tasks) news?.push(...n.tasks);
      const s = useTasks.getState(),
        merged = n.tasks && s.state === "ready" ? mergeTasks(s.items, n.tasks, s.filter) : undefined;
      if (merged) useTasks.setState({ items: merged.items });
      soon(n.tasksMany === true || merged?.sure === false);
    },
  });
  void readTasks();
  void readAgents();
  return () => {
    off();
    clearTimeout(timer);
  };
}

/** How many tasks of an agent run, and how many wait, up to 100 each. Rejects with ApiError. */
export async function countUnfinished(agent: string): Promise<{ running: number; waiting: number }> {
  const count = (status: TaskStatus) => tasksApi.list({ agent, status, limit: 100 }).then((l) => l.tasks.length);
  const [running, waiting] = await Promise.all([count("in_progress"), count("pending")]);
  return { running, waiting };
}

/** All reject with ApiError. */
export const taskActions = {
  latest: (limit: number) => tasksApi.list({ limit }).then((got) => got.tasks),
  submit: (body: SubmitTask, key: string) => tasksApi.submit(body, key),
  cancel: (id: string) => tasksApi.cancel(id),
  resume: (id: string) => tasksApi.resume(id),
  retry: (id: string) => tasksApi.retry(id),
};
