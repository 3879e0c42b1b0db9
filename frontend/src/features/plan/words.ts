import type { TFunction } from "i18next";
import { errorMeaning } from "@/i18n/problem";
import type { PlanItem, Standing } from "@/stores/planTree";
import type { PlanProposal } from "@/topology";
import type { Status } from "@/ui";

/** The look of a standing; that a task is held is the person's own doing, so it is amber. */
export const toneOf: Record<Standing, Status> = {
  todo: "idle",
  running: "running",
  held: "waiting",
  failed: "failed",
  done: "done",
};

export const standings: readonly Standing[] = ["todo", "running", "held", "failed", "done"];

/** What a person may set, where nobody reports on the task. */
export const byHand = { todo: "PENDING", held: "BLOCKED", done: "COMPLETE" } as const;
export const isByHand = (s: Standing): s is keyof typeof byHand => s in byHand;

export const efforts = ["small", "medium", "large"] as const;

/** The first line of a text, where a label must be short. */
export const short = (text: string) => {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
};

/** The entries of a list that is written one to a line. */
export const lines = (text: string) =>
  text
    .split("\n")
    .map((l) => l.trim())
    .filter(Boolean);

export const isLeaf = (i: PlanItem) => i.children.length === 0;

/** Failures whose message says itself that nothing was changed. */
const tellsAll = ["UNAVAILABLE unparsable", "VALIDATION_ERROR no_model"];

/** Why the planner returned no plan, and what to do, each once. */
export function whyFailed(t: TFunction, { failure }: Pick<PlanProposal, "failure">): string {
  const why = failure ? errorMeaning(t, failure) : "",
    reason = failure?.details?.reason;
  return typeof reason === "string" && tellsAll.includes(`${failure?.code} ${reason}`)
    ? why
    : t("plan.failed", { why }).trim();
}
