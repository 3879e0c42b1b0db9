import { createInstance } from "i18next";
import { expect, it } from "vitest";
import enField from "./en/field.json";
import enProblem from "./en/problem.json";
import jaField from "./ja/field.json";
import jaProblem from "./ja/problem.json";
import { fieldName, problemMessage } from "./problem";

it("APP-3 a key that the product knows is told in a person's words, and another one as it is written", async () => {
  for (const [lng, field, problem, said] of [
    ["en", enField, enProblem, ["MCP servers", "Tool policy", "MCP servers (0.env.TOKEN)", "Name", "colour", "a.b"]],
    ["ja", jaField, jaProblem, ["MCPサーバー", "ツールの許可設定", "MCPサーバー（0.env.TOKEN）", "名前", "colour", "a.b"]],
  ] as const) {
    const i18n = createInstance();
    await i18n.init({ lng, resources: { [lng]: { translation: { field, problem } } }, interpolation: { escapeValue: false } });
    expect(["extra.mcpServers", "extra.mcpPolicy", "extra.mcpServers.0.env.TOKEN", "name", "extra.colour", "extra.a.b"].map((f) => fieldName(i18n.t, f))).toEqual(said);
    const secret = { code: "secret_in_clear", message: "", remedy: "", params: { agent: "Lead", field: "extra.mcpServers.0.env.TOKEN" } };
    expect(problemMessage(i18n.t, secret)).toContain(said[2]);
  }
});
