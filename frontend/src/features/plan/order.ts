import type { PlanFound, PlanOrder } from "@/topology";

/** An order as it stands in the fields of its dialog. */
export type Draft = {
  folder: string;
  worker: PlanOrder["worker"] | "";
  workerModel: string;
  /** Of the planner; empty: the default. */ model: string;
  mode: "exec" | "acp";
  test: string;
  parallel: string;
  askPhases: boolean;
  askMerges: boolean;
  /** Workers may change a folder without Git. */ direct: boolean;
  askTools: boolean;
  env: string;
  maxTokens: string;
  maxUsd: string;
  tryUsd: string;
};

const written = (n: number | undefined) => (n ? String(n) : "");

export function draftOf(order: PlanOrder | undefined): Draft {
  return {
    folder: order?.folder ?? "",
    worker: order?.worker ?? "",
    workerModel: order?.workerModel ?? "",
    model: order?.model ?? "",
    mode: order?.mode ?? "exec",
    test: order?.test ?? "",
    parallel: String(order?.parallel ?? 2),
    askPhases: order?.askPhases ?? false,
    askMerges: !order || !!order.askMerges, // the hub leaves out what is off
    direct: !!order?.direct,
    askTools: order?.mode !== "acp" || !!order.askTools,
    env: (order?.env ?? []).join("\n"),
    maxTokens: written(order?.maxTokens),
    maxUsd: written(order?.maxUsd),
    tryUsd: written(order?.tryUsd),
  };
}

/** How another plan is run, without where: a new plan's work belongs to a folder that the person chooses. */
export const withoutPlace = (order: PlanOrder | undefined) =>
  order && { ...order, folder: "", test: "", direct: false };

export function orderOf(d: Draft, worker: PlanOrder["worker"]): PlanOrder {
  return {
    folder: d.folder.trim(),
    worker,
    workerModel: d.workerModel.trim(),
    model: d.model.trim(),
    mode: d.mode,
    test: d.test.trim(),
    parallel: Number(d.parallel),
    askPhases: d.askPhases,
    askMerges: d.askMerges,
    direct: d.direct,
    askTools: d.mode === "acp" && d.askTools,
    env: namesIn(d.env),
    maxTokens: Number(d.maxTokens) || 0,
    maxUsd: Number(d.maxUsd) || 0,
    tryUsd: Number(d.tryUsd) || 0,
  };
}

/** The names in a text, however they are parted, each once. */
export const namesIn = (text: string) => [...new Set(text.split(/[\s,、，;]+/).filter(Boolean))];

/** What is left of a text as an amount in dollars. */
export const dollars = (text: string) =>
  text
    .replace(",", ".")
    .replace(/[^\d.]/g, "")
    .replace(/(\..*)\./g, "$1")
    .slice(0, 9);

/** Whether a coding CLI can be used in a mode on the hub's computer. */
export const fits = (f: PlanFound, mode: Draft["mode"]) => (mode === "acp" ? !!f.acp.path : !!f.path && !f.problem);
