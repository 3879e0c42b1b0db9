import type { TFunction } from "i18next";
import { formatBytes } from "@/i18n/format";
import { commandLine, type Question } from "@/topology";
import { marked, markedLine } from "@/ui/unseen";

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

/** How the work goes on when this is denied with a reply, as far as it is known. */
export function afterDenial(q: Question, task: { type: string } | undefined): "goesOn" | "ends" | "open" {
  if (task?.type === "command_execution") return "ends";
  return gateOf(q) || (q.task && !task) || task?.type === "file_operation" ? "open" : "goesOn";
}

/** What is asked about runs as a command on the hub's computer, by the shell tool or by a plan's worker. */
export const runsHere = (q: Question) =>
  q.state === "waiting" && !q.elsewhere && (q.from === "shell" || gateOf(q) === "tool" || gateOf(q) === "work");

/** Whether a question is about a command or a file, which are in a folder. A gate of a plan names its own. */
export const needsFolder = (q: Question): boolean => (q.from === "shell" || q.from === "files") && !gateOf(q);

/** The folder that a command would run in, or that a file is in; "" where it isn't known, or there is none. */
export const folderOf = (q: Question): string => (needsFolder(q) ? (q.workspace ?? "") : "");

/** A command as one line, with the limits of its words where they are not plain. */
function commandOf(command: unknown): string {
  if (typeof command === "string") return command;
  if (Array.isArray(command)) return commandLine(command);
  return "";
}

/** What a worker's tool is given: its command where that is all, or else the whole of it. */
function inputOf(input: unknown): { code: string; command: string } {
  let given: unknown = input;
  if (typeof input === "string")
    try {
      given = JSON.parse(input);
    } catch {
      return { code: input, command: "" };
    }
  if (given === undefined || given === null || given === "") return { code: "", command: "" };
  const fields = typeof given === "object" && !Array.isArray(given) ? (given as Args) : {};
  const command = commandOf(fields.command);
  return { code: command && Object.keys(fields).length === 1 ? command : JSON.stringify(given, undefined, 2), command };
}

/** A value as it is shown: nothing that is there is left out. */
const shown = (v: unknown) => (v === "" ? '""' : text(v));

/** What a person looks at first, of what a gateway says beside the command. */
const first = ["warningText", "description", "cwd", "host", "nodeId", "resolvedPath", "toolName", "pluginId"];
const placeOf = (name: string) => (first.includes(name) ? first.indexOf(name) : first.length);

/** What a gateway asks for: the command, or what the plugin says of it. */
function askedAt(q: Question, args: Args) {
  const plugin = q.gateway?.kind === "plugin";
  const main = plugin ? (args.detail === undefined ? "description" : "detail") : "command";
  const rest = Object.entries(args)
    .filter(([k]) => k !== main && !(plugin && k === "title"))
    .sort(([a], [b]) => placeOf(a) - placeOf(b));
  return {
    code: text(args[main]),
    rest: rest.map(([k, v]): [string, string] => [k, shown(v)]),
    line: plugin ? q.gateway?.title || text(args.title) : text(args.command),
  };
}

/** Whether a gateway takes the decision, and can be told it now. */
export const takes = (q: Question, choice: "once" | "always" | "deny"): boolean =>
  !q.gateway || (!q.gateway.stale && q.gateway.choices.includes(choice));

/** Who asks, where it is no agent that is known by name. */
export const askerOf = (q: Question): string => q.agent || q.gateway?.name || "";

/**
 * What a question is about: the part that is shown large, the rest by name, and the one line that stands for it
 * in the list and in the notification. All of it comes from the same value.
 */
export function subjectOf(q: Question): { code: string; rest: [name: string, value: string][]; line: string } {
  const args = argumentsOf(q),
    gate = gateOf(q);
  if (q.gateway) return askedAt(q, args);
  const main =
    q.from === "shell"
      ? "command"
      : q.from === "files" && "content" in args
        ? "content"
        : q.from === "files" && "pattern" in args
          ? "pattern"
          : q.from === "files"
            ? "path"
            : "";
  const rest = Object.entries(args)
    .filter(([k, v]) => k !== main && !(gate && v === ""))
    .map(([k, v]): [string, string] => [k, shown(v)]);
  switch (gate) {
    case "tool": {
      const { code, command } = inputOf(args.input);
      return { code, rest: rest.filter(([k]) => k !== "input"), line: command || text(args.wants) };
    }
    case "work":
      return {
        code: Array.isArray(args.tasks) ? args.tasks.map((title) => `• ${text(title)}`).join("\n") : "",
        rest: rest.filter(([k]) => k !== "tasks" && k !== "plan"),
        line: text(args.understanding),
      };
    case "merge":
      return { code: text(args.diff), rest: rest.filter(([k]) => k !== "diff"), line: text(args.task) };
    case "phase":
      return { code: "", rest, line: text(args.phase) };
  }
  if (main) return { code: text(args[main]), rest, line: q.from === "shell" ? text(args.command) : text(args.path) };
  return { code: Object.keys(args).length ? JSON.stringify(args, undefined, 2) : "", rest: [], line: q.tool ?? "" };
}

/** One line for the list: what the agent wants. */
export function titleOf(t: TFunction, q: Question): string {
  if (!q.tool) return markedLine(q.text ?? "");
  const args = argumentsOf(q),
    gate = gateOf(q),
    line = markedLine(subjectOf(q).line);
  if (q.gateway) return q.gateway.kind === "plugin" ? line : t("inbox.runs", { command: line });
  if (gate)
    return t(`inbox.gate.${gate}`, {
      task: markedLine(text(args.task)),
      phase: markedLine(text(args.phase)) || t("inbox.gate.noPhase"),
      wants: line,
      understanding: line,
    });
  if (q.from === "shell") return t("inbox.runs", { command: line });
  if (q.from === "files")
    return t(`inbox.file.${q.tool}`, { path: line, defaultValue: t("inbox.uses", { tool: markedLine(q.tool) }) });
  return t("inbox.uses", { tool: markedLine(q.tool) });
}

/** The question as it stands above what it is about. */
export function headingOf(t: TFunction, q: Question): string {
  const fields = q.gateway?.fields?.length ?? 0;
  if (fields > 1) return t("inbox.gateway.several", { count: fields });
  if (!q.tool) return marked(q.text ?? "");
  if (q.gateway?.kind === "plugin") return t("inbox.gateway.may", { title: markedLine(subjectOf(q).line) });
  if (q.gateway) return t("inbox.mayRun");
  const gate = gateOf(q);
  if (gate) return t(`inbox.gate.may_${gate}`);
  if (q.from === "shell") return t("inbox.mayRun");
  if (q.from === "files") return t(q.tool === "file_write" ? "inbox.mayWrite" : "inbox.mayRead");
  return t("inbox.mayUse", { tool: markedLine(q.tool), from: markedLine(q.from ?? "") });
}

/** What became of it. */
export function outcomeOf(t: TFunction, q: Question): string {
  if (q.state === "expired")
    return t(`inbox.expired.${q.reason ?? "ended"}`, { defaultValue: t("inbox.expired.ended") });
  if (q.byRule) return t("inbox.outcome.rule");
  const outcome =
    !q.tool && q.gateway && q.choice === "deny"
      ? t("inbox.gateway.skipped")
      : !q.tool
        ? t("inbox.outcome.answered")
        : t(`inbox.outcome.${q.choice ?? "once"}`);
  const elsewhere = q.gateway && q.by && q.by !== "owner" && q.by !== "page";
  return elsewhere ? t("inbox.gateway.by", { outcome, by: markedLine(q.by ?? "") }) : outcome;
}

/** The name of an argument, in the person's language where we have one. */
export const argumentName = (t: TFunction, name: string) => t(`inbox.argument.${name}`, { defaultValue: name });

/** The effect of a tool on a file, as the file was when the agent asked; "" where it isn't known. */
export function effectOf(t: TFunction, q: Question): string {
  const path = marked(text(argumentsOf(q).path));
  return q.effect ? t(`inbox.effect.${q.effect.op}`, { path, size: formatBytes(q.effect.size ?? 0) }) : "";
}

/** The value of an argument, in words where a gate has some for it. */
export function argumentValue(t: TFunction, q: Question, name: string, value: string): string {
  const gate = gateOf(q);
  if (gate === "merge" && name === "tested" && value === "none") return t("inbox.gate.untested");
  if (gate === "merge" && name === "tested")
    return value === "0" ? t("inbox.gate.passed") : t("inbox.gate.notPassed", { code: value });
  return gate === "tool" && name === "does" ? t(`inbox.gate.does.${value}`, { defaultValue: value }) : value;
}
