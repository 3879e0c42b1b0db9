import { useEffect } from "react";
import { create } from "zustand";
import { inbox } from "../api/inbox";
import type { AnswerChoice, Question, StandingPermission, ToolRule } from "../topology";
import { asApiError, type ApiError } from "./faults";
import { useHub } from "./hub";
import { keepRoute } from "./routes";

type Inbox = {
  /** Put off in this window: they stand behind the others. */
  later: string[];
  /** The question that is shown. */
  chosen?: string;
  /** The question whose end was in view: only then it can be allowed. */
  read?: string;
  /** The question that has been in view for a moment: only then it can be allowed or denied. */
  settled?: string;
  /** Those that are being answered. */
  busy: string[];
};

export const useInbox = create<Inbox>()(() => ({ later: [], busy: [] }));
/** Whether the question is being answered. The next one can be answered meanwhile. */
export const useAnswering = (id: string) => useInbox((s) => s.busy.includes(id));
export const isAnswering = (id: string) => useInbox.getState().busy.includes(id);

/** How many agents have a task that waits for a permission. InboxNotices counts them, after the first picture. */
export const useBlockedCount = create<{ count: number }>()(() => ({ count: 0 }));

/** How many things need the person: questions, and agents whose tasks wait for a permission. */
export function useNeedsYou(): number {
  const asked = useHub((s) => s.inbox.length);
  return asked + useBlockedCount((s) => s.count);
}

/** What waits, oldest first, with what was put off behind the rest. */
export function inOrder(waiting: readonly Question[], later: readonly string[]): Question[] {
  const off = new Map(later.map((id, i) => [id, i + 1]));
  return [...waiting].sort((a, b) => (off.get(a.id) ?? 0) - (off.get(b.id) ?? 0) || a.id.localeCompare(b.id));
}

export const chooseQuestion = (chosen?: string) => useInbox.setState({ chosen });
/** Keeps the chosen question in the address. */
export const followQuestion = () =>
  keepRoute("inbox", {
    read: () => ({ question: useInbox.getState().chosen }),
    show: ({ question }) => chooseQuestion(question),
    follow: useInbox.subscribe,
  });
export const setRead = (read: string) => {
  if (useInbox.getState().read !== read) useInbox.setState({ read });
};

/** How long a question is in view before it takes an answer, in ms: keys meant for the one before don't count. */
const settling = 600;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Starts a question's wait, also again: a person who presses a key over and over looks at nothing. */
export function settle(id: string): void {
  clearTimeout(timer);
  useInbox.setState({ settled: undefined });
  timer = setTimeout(() => useInbox.setState({ settled: id }), settling);
}

/** Whether a question that is shown can be allowed or denied by now. */
export function useSettled(id: string): boolean {
  useEffect(() => settle(id), [id]);
  return useInbox((s) => s.settled === id);
}

export const putOff = (id: string) => useInbox.setState((s) => ({ later: [...s.later.filter((x) => x !== id), id] }));

/** Answers a question; the hub tells every window that it waits no more. */
export async function answerQuestion(
  id: string,
  choice: AnswerChoice,
  word?: string,
  standing?: StandingPermission,
  answers?: Record<string, string[]>,
): Promise<void> {
  useInbox.setState((s) => ({ busy: [...s.busy, id] }));
  try {
    await inbox.answer(id, choice, word, standing, answers);
    useHub.setState((s) => ({ inbox: s.inbox.filter((q) => q.id !== id) }));
  } finally {
    useInbox.setState((s) => ({ busy: s.busy.filter((x) => x !== id), later: s.later.filter((x) => x !== id) }));
  }
}

type Ended = {
  entries: Question[];
  rules: ToolRule[];
  state: "idle" | "loading" | "ready" | "failed";
  more: boolean;
  error?: ApiError;
};

/** Entries that no longer wait, newest first, as far as they were read. */
export const useEnded = create<Ended>()(() => ({ entries: [], rules: [], state: "idle", more: false }));

const page = 50;
let round = 0;

/** Reads the loaded entries again, or the next older page. Of two reads under way, the later one counts. */
export async function readEnded(older = false): Promise<void> {
  const mine = ++round,
    had = useEnded.getState().entries,
    wanted = older ? 0 : had.length;
  useEnded.setState({ state: "loading", error: undefined });
  try {
    const rules = inbox.rules(),
      entries = older ? [...had] : [];
    rules.catch(() => undefined); // told below
    for (let more = true; more;) {
      const part = (await inbox.ended(entries.at(-1)?.id)).entries;
      entries.push(...part);
      more = part.length === page;
      if (mine !== round) return;
      if (more && entries.length < wanted) continue;
      useEnded.setState({ entries, rules: (await rules).rules, state: "ready", more });
      return;
    }
  } catch (e) {
    if (mine === round) useEnded.setState({ state: "failed", error: asApiError(e) });
  }
}

/** Revokes a standing permission: the person is asked again. */
export async function askAgain(rule: string): Promise<void> {
  await inbox.dropRule(rule);
  useEnded.setState((s) => ({ rules: s.rules.filter((r) => r.id !== rule) }));
}
