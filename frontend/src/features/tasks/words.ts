import { FileCog, ListTree, MessageSquare, SquareTerminal, type LucideIcon } from "lucide-react";
import type { TFunction } from "i18next";
import { ownBudget, type TaskType } from "@/stores/taskDraft";
import { hasEnded } from "@/stores/taskStatus";
import type { TaskDetail, TaskStatus } from "@/topology";
import type { Status } from "@/ui";

type Standing = { status: string; held?: boolean; queued?: boolean; waits?: object };
export type StandingWord = TaskStatus | "paused" | "asks";

/** How a task stands, as a word of "tasks.status". `asks`: a question of its agent waits for the person. */
export function standing(t: Standing, asks = false): StandingWord {
  if (t.held && !ended(t)) return "paused";
  if (t.status === "in_progress" && (t.queued || t.waits)) return "pending";
  if (t.status === "in_progress" && asks) return "asks";
  return t.status as StandingWord;
}

/** How a command of a completed task failed; nothing where it did not. */
export function howFailed(t: TFunction, ran?: { exitCode?: number; timedOut?: boolean }): string | undefined {
  if (ran?.timedOut) return t("tasks.timedOutBadge");
  return ran?.exitCode ? t("tasks.exitCode", { n: ran.exitCode }) : undefined;
}

export const toneOf: Record<StandingWord, Status> = {
  pending: "idle",
  in_progress: "running",
  paused: "waiting",
  asks: "waiting",
  completed: "done",
  failed: "failed",
  canceled: "idle",
};

export const typeIcon: Record<TaskType, LucideIcon> = {
  chat: MessageSquare,
  command_execution: SquareTerminal,
  file_operation: FileCog,
  complex_task: ListTree,
};

/** The limit that was written: 0 is none, nothing is what cannot be one. */
export function limitOf(text: string): number | undefined {
  const n = Number(text.trim().normalize("NFKC").replaceAll(",", ""));
  return Number.isFinite(n) && n >= 0 ? n : undefined;
}

export const ended = (t: Standing) => hasEnded(t.status);

/** An attempt that ended because the permission of its agent was revoked: that's no failure. */
export const withdrawn = (a: { cause?: { code: string } }) => a.cause?.code === "waits_for_trust";

/** A task that used up the budget it was given itself: submitted as it was, it would end the same way. */
export const budgetGone = (t: Pick<TaskDetail, "cause" | "context">) =>
  !!ownBudget(t) && /^budget/.test(t.cause?.code ?? "");

/** A task that can be submitted once more. */
export const retriable = (t: Standing) => t.status === "failed" || t.status === "canceled";

/** 3:07, or 1:02:09: how long something took or takes. */
export function spent(from: string, to: string | number): string {
  const s = Math.max(0, Math.floor((new Date(to).getTime() - new Date(from).getTime()) / 1000)),
    two = (n: number) => String(n).padStart(2, "0");
  const h = Math.floor(s / 3600),
    m = Math.floor(s / 60) % 60;
  return h ? `${h}:${two(m)}:${two(s % 60)}` : `${m}:${two(s % 60)}`;
}

/** A line about the use of a tool, in the person's language. Agents on other computers send such lines as text. */
export function logWords(t: TFunction, line: string, nameOf: (id: string) => string = (id) => id): string {
  const [, tool, given = ""] = /^uses (\w[\w.-]*)(.*)$/s.exec(line) ?? [];
  if (tool) {
    const { agent, task, ...others } = fieldsOf(given) ?? {};
    if (tool === "delegate" && agent && task && !Object.keys(others).length)
      return t("tasks.delegates", { name: nameOf(agent), task });
    return t("tasks.uses", { name: tool, with: given });
  }
  return line;
}

/** A step of the work that the hub reports by its cause, such as a delegation; nothing for why an attempt ended. */
export function stepWords(
  t: TFunction,
  { code, params = {} }: { code: string; params?: Record<string, string> },
  nameOf: (id: string) => string,
): string | undefined {
  const { agent = "", from = "", said } = params,
    names = { agent: nameOf(agent), from: nameOf(from), said };
  switch (code) {
    case "gave_task":
    case "accepted_work":
      return t(`tasks.step.${code}`, names);
    case "rejected_work":
      return t(said ? "tasks.step.rejected_work_said" : "tasks.step.rejected_work", names);
    default:
      return undefined;
  }
}

/** The fields of a JSON object whose values are all texts; nothing for anything else, such as what was cut. */
function fieldsOf(json: string): Record<string, string> | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return value && Object.values(value).every((v) => typeof v === "string")
      ? (value as Record<string, string>)
      : undefined;
  } catch {
    return undefined;
  }
}
