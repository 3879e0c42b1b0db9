import type { TFunction } from "i18next";
import { causeText } from "@/i18n/cause";
import type { PlanProgress } from "@/topology";

/** The output of a task. What isn't the worker's own is in the person's language. */
export function outputText(t: TFunction, { output = "", own = [] }: Pick<PlanProgress, "output" | "own">): string {
  const lines = output.split("\n");
  for (const { line, chars, cause } of own) {
    const said = Array.from(lines[line] ?? "");
    if (said.length < chars) continue;
    const { code, params = {} } = cause,
      words = (key: string) => t(`plan.log.${key}`, { ...params, defaultValue: "" });
    const told = (params.exit && words(`${code}_${params.exit}`)) || words(code) || causeText(t, cause, "");
    if (told) lines[line] = told + said.slice(chars).join("");
  }
  return lines.join("\n");
}
