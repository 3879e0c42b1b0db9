import type { TFunction } from "i18next";
import { formatNumber } from "./format";

/** The tools that run commands: the hub's, also where another tool has its plain name, and OpenClaw's. */
const runs = /^((shell_)?shell_exec|exec|bash)$/;
/** How the hub's shell tool begins its result. */
const ofHub = /^exit code (-?\d+)(?:\n|$)/,
  late = /^it took too long and was ended(?:\n|$)/,
  /** How OpenClaw's tool for commands ends its result. */
  ofOpenClaw = /\(?Command exited with code (-?\d+)\)?\s*$/;

/** How a command failed that an agent ran, read from the tool's result; nothing where it did not. */
export function commandEnd(t: TFunction, tool: string | undefined, output: string | undefined): string | undefined {
  if (!tool || !output || !runs.test(tool)) return undefined;
  if (late.test(output)) return t("chat.tool.late");
  const code = Number((ofHub.exec(output) ?? ofOpenClaw.exec(output))?.[1] ?? 0);
  return code ? t("chat.tool.exitCode", { n: formatNumber(code) }) : undefined;
}
