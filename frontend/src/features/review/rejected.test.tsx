// @vitest-environment happy-dom
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, expect, it } from "vitest";
import { loadLanguage, startLanguage } from "@/i18n";
import type { Problem } from "@/topology";
import { Problems } from "./Problems";

beforeAll(() => startLanguage().then(() => loadLanguage("en")));

const problem = (code: string, field: string, key: string): Problem =>
  ({
    id: `${code}:${key}`,
    severity: "warning",
    code,
    subject: "agent",
    agent: "dev",
    field,
    params: { key },
  }) as never;
const shown = (...problems: Problem[]) => renderToStaticMarkup(<Problems problems={problems} teams={{}} />);

it("OC-3 the review names the settings that the gateway rejects, before anything is sent", () => {
  const text = shown(
    problem("refused_key", "extra.thinkingDefault", "thinkingDefault"),
    problem("refused_value", "extra.mode", "mode"),
    problem("no_model", "model", "model"),
  );
  expect(text).toContain("The gateway rejects 2 settings, so the apply would fail");
  expect(text.match(/Remove from the team/g)).toHaveLength(1);
});

it("OC-3 a part of a setting that the gateway rejects isn't removed with the whole", () => {
  const text = shown(problem("refused_key", "extra.memory", "memory.flush"));
  expect(text).toContain("The gateway rejects 1 setting, so");
  expect(text).not.toContain("Remove from the team");
});

it("OC-3 without rejected settings, there is nothing to say", () => {
  expect(shown(problem("no_model", "model", "model"))).toBe("");
});
