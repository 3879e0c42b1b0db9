import type { TFunction } from "i18next";
import { errorMeaning } from "@/i18n/problem";
import { formatCost, formatNumber } from "@/i18n/format";
import type { LocalAgent, LocalLine } from "@/topology";
import type { Status } from "@/ui";

const statuses: Record<LocalAgent["state"], Status> = {
  stopped: "idle",
  starting: "running",
  running: "done",
  restarting: "waiting",
  stopping: "running",
  failed: "failed",
};
export const statusOf = (a: LocalAgent): Status => statuses[a.state];

/** What it did and cost here: 3 tasks, 1 failed · 1,200 tokens · $0.02. */
export function useText(t: TFunction, { tasks, failed, spent }: LocalAgent["use"]): string {
  if (!tasks) return t("here.unused");
  const tokens = (spent.tokensIn ?? 0) + (spent.tokensOut ?? 0);
  return [
    t("here.tasks", { count: tasks, n: formatNumber(tasks) }),
    ...(failed ? [t("here.failedTasks", { count: failed, n: formatNumber(failed) })] : []),
    ...(tokens
      ? [
          t("here.tokens", { count: tokens, n: formatNumber(tokens) }),
          spent.unpriced ? t("here.costUnknown") : formatCost(spent.usd ?? 0),
        ]
      : []),
  ].join(" · ");
}

/** What a refusal of the hub means here. */
export function meaning(t: TFunction, e: { code: string; message: string; details?: Record<string, unknown> }): string {
  const reason = typeof e.details?.reason === "string" ? e.details.reason : "";
  const line = typeof e.details?.line === "number" ? e.details.line : 0;
  return (
    (reason && t(`here.fault.${reason}`, { defaultValue: "" })) ||
    (line ? t("here.fault.line", { line, said: e.message }) : errorMeaning(t, e))
  );
}

export type Told = { time: string; level: "" | "INFO" | "WARN" | "ERROR" | "DEBUG"; text: string };

/** A line as it is shown: what the hub says is a note, the program's own log is JSON, what MCP servers and commands say is text. */
export function told(t: TFunction, l: LocalLine): Told {
  if (l.note) return { time: l.at, level: "", text: note(t, l) };
  const plain: Told = { time: l.at, level: "", text: l.text };
  if (l.from !== "errors" || !l.text.startsWith("{")) return plain;
  try {
    const { time, level, msg, ...rest } = JSON.parse(l.text) as Record<string, unknown>;
    if (typeof msg !== "string" || typeof level !== "string") return plain;
    const known = ["INFO", "WARN", "ERROR", "DEBUG"].includes(level) ? (level as Told["level"]) : "";
    return {
      time: typeof time === "string" ? time : l.at,
      level: known,
      text: [
        msg,
        ...Object.entries(rest).map(([k, v]) => `${k}=${typeof v === "string" ? v : JSON.stringify(v)}`),
      ].join("  "),
    };
  } catch {
    return plain;
  }
}

function note(t: TFunction, { note, args = [], text }: LocalLine): string {
  const [a = "", b = "", c = ""] = args ?? [];
  return t(note === "task" ? `here.note.task.${b}` : `here.note.${note ?? ""}`, {
    a,
    n: formatNumber(Number(c)),
    defaultValue: text,
  });
}
