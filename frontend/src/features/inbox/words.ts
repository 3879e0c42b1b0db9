import type { TFunction } from "i18next";
import type { Question } from "@/topology";

type Args = Record<string, unknown>;

const text = (v: unknown) => (typeof v === "string" ? v : v === undefined ? "" : JSON.stringify(v));

export function argumentsOf(q: Question): Args {
  const a: unknown = q.arguments;
  return a && typeof a === "object" && !Array.isArray(a) ? (a as Args) : a === undefined || a === null ? {} : { "": a };
}

/** A gate of a plan: what it asks leave for. */
export function gateOf(q: Question): "merge" | "phase" | undefined {
  if (q.from || typeof argumentsOf(q).plan !== "string") return undefined;
  return q.tool === "merge" ? "merge" : q.tool === "begin phase" ? "phase" : undefined;
}

/** What a question is about: the part that is shown large, and the rest by name. */
export function subjectOf(q: Question): { code: string; rest: [name: string, value: string][] } {
  const args = argumentsOf(q);
  const main = q.from === "shell" ? "command" : q.from === "files" && "content" in args ? "content" : q.from === "files" && "pattern" in args ? "pattern" : q.from === "files" ? "path" : "";
  const rest = Object.entries(args).filter(([k, v]) => k !== main && v !== "").map(([k, v]): [string, string] => [k, text(v)]);
  if (gateOf(q)) return { code: "", rest };
  if (main) return { code: text(args[main]), rest };
  return { code: Object.keys(args).length ? JSON.stringify(args, undefined, 2) : "", rest: [] };
}

/** One line for the list: what the agent wants. */
export function titleOf(t: TFunction, q: Question): string {
  if (!q.tool) return q.text ?? "";
  const args = argumentsOf(q), gate = gateOf(q);
  if (gate) return t(`inbox.gate.${gate}`, { task: text(args.task), phase: text(args.phase) || t("inbox.gate.noPhase") });
  if (q.from === "shell") return t("inbox.runs", { command: text(args.command).replace(/\s+/g, " ").trim() });
  if (q.from === "files") return t(`inbox.file.${q.tool}`, { path: text(args.path), defaultValue: t("inbox.uses", { tool: q.tool }) });
  return t("inbox.uses", { tool: q.tool });
}

/** The question as it stands above what it is about. */
export function headingOf(t: TFunction, q: Question): string {
  if (!q.tool) return q.text ?? "";
  const gate = gateOf(q);
  if (gate) return t(`inbox.gate.may_${gate}`);
  if (q.from === "shell") return t("inbox.mayRun");
  if (q.from === "files") return t(q.tool === "file_write" ? "inbox.mayWrite" : "inbox.mayRead");
  return t("inbox.mayUse", { tool: q.tool, from: q.from ?? "" });
}

/** What became of it. */
export function outcomeOf(t: TFunction, q: Question): string {
  if (q.state === "expired") return t(`inbox.expired.${q.reason ?? "ended"}`, { defaultValue: t("inbox.expired.ended") });
  if (q.byRule) return t("inbox.outcome.rule");
  if (!q.tool) return t("inbox.outcome.answered");
  return t(`inbox.outcome.${q.choice ?? "once"}`);
}

/** The name of an argument, in the person's language where we have one. */
export const argumentName = (t: TFunction, name: string) => t(`inbox.argument.${name}`, { defaultValue: name });
