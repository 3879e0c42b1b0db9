import type { TFunction } from "i18next";
import type { Question } from "@/topology";

type Args = Record<string, unknown>;

const text = (v: unknown) => (typeof v === "string" ? v : v === undefined ? "" : JSON.stringify(v));

export function argumentsOf(q: Question): Args {
  const a: unknown = q.arguments;
  return a && typeof a === "object" && !Array.isArray(a) ? (a as Args) : a === undefined || a === null ? {} : { "": a };
}

const gates = { merge: "merge", "begin phase": "phase", "worker tool": "tool", "work plan": "work" } as const;

/** A gate of a plan: what it asks leave for. */
export function gateOf(q: Question): (typeof gates)[keyof typeof gates] | undefined {
  if (q.from || typeof argumentsOf(q).plan !== "string" || !q.tool || !Object.hasOwn(gates, q.tool)) return undefined;
  return gates[q.tool as keyof typeof gates];
}

/** What a worker's tool is given, told as its command where it has one. */
function inputOf(input: unknown): string {
  let given: unknown;
  try { given = JSON.parse(text(input) || "null"); } catch { return text(input); }
  const command = given && typeof given === "object" ? (given as Args).command : undefined;
  if (typeof command === "string") return command;
  if (Array.isArray(command)) return command.map(text).join(" ");
  return given === null ? "" : JSON.stringify(given, undefined, 2);
}

/** What a question is about: the part that is shown large, and the rest by name. */
export function subjectOf(q: Question): { code: string; rest: [name: string, value: string][] } {
  const args = argumentsOf(q);
  const main = q.from === "shell" ? "command" : q.from === "files" && "content" in args ? "content" : q.from === "files" && "pattern" in args ? "pattern" : q.from === "files" ? "path" : "";
  const rest = Object.entries(args).filter(([k, v]) => k !== main && v !== "").map(([k, v]): [string, string] => [k, text(v)]);
  switch (gateOf(q)) {
    case "tool": return { code: inputOf(args.input), rest: rest.filter(([k]) => k !== "input") };
    case "work": return { code: Array.isArray(args.tasks) ? args.tasks.map((title) => `• ${text(title)}`).join("\n") : "", rest: rest.filter(([k]) => k !== "tasks" && k !== "plan") };
    case "merge": case "phase": return { code: "", rest };
  }
  if (main) return { code: text(args[main]), rest };
  return { code: Object.keys(args).length ? JSON.stringify(args, undefined, 2) : "", rest: [] };
}

/** One line for the list: what the agent wants. */
export function titleOf(t: TFunction, q: Question): string {
  if (!q.tool) return q.text ?? "";
  const args = argumentsOf(q), gate = gateOf(q);
  if (gate) return t(`inbox.gate.${gate}`, { task: text(args.task), phase: text(args.phase) || t("inbox.gate.noPhase"), wants: text(args.wants), understanding: text(args.understanding) });
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

/** The value of an argument, in words where a gate has some for it. */
export const argumentValue = (t: TFunction, q: Question, name: string, value: string) => (gateOf(q) === "tool" && name === "does" ? t(`inbox.gate.does.${value}`, { defaultValue: value }) : value);

/** What "always" means for a question. */
export function alwaysOf(t: TFunction, q: Question, name: string): string {
  const gate = gateOf(q);
  return gate === "tool" || gate === "work" ? t(`inbox.gate.always_${gate}`, { name }) : t("inbox.alwaysWhy", { name, tool: q.tool });
}
