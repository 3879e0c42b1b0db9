import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type axe from "axe-core";
import type { App } from "./app.ts";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe holds against the screen as it stands, serious and critical only; with rules, only by these. */
export async function violations(app: App, rules?: string[]): Promise<string[]> {
  if (!(await app.page.evaluate(() => "axe" in globalThis))) await app.page.evaluate(axeSource);
  // Colors on their way from one state to another are nobody's contrast.
  await app.page.evaluate(() =>
    Promise.all(
      document
        .getAnimations()
        .filter((a) => Number.isFinite(a.effect?.getComputedTiming().endTime))
        .map((a) => a.finished.catch(() => undefined)),
    ),
  );
  const found = await app.page.evaluate(async (only) => {
    const run = (globalThis as unknown as { axe: typeof axe }).axe;
    // Behind an open list of choices nothing can be reached: it is hidden from everybody, and looked at where no list is open.
    const context = document.querySelector("[role=listbox][data-state=open]")
      ? { exclude: [["[data-aria-hidden=true]"]] }
      : document;
    const serious = async (selectors: boolean) => {
      const options = { resultTypes: ["violations" as const], selectors, ...(only && { runOnly: only }) };
      return (await run.run(context, options)).violations.filter(
        (v) => v.impact === "serious" || v.impact === "critical",
      );
    };
    // To work out where each element is takes two fifths of the time, also for elements that nothing is held against.
    if (!(await serious(false)).length) return [];
    return (await serious(true)).flatMap((v) =>
      v.nodes.map((n) => `${v.id}: ${n.target.join(" ")} ${n.failureSummary ?? ""}`.replace(/\s+/g, " ").slice(0, 400)),
    );
  }, rules);
  return found;
}
