import { createInstance } from "i18next";
import { expect, it } from "vitest";
import enCause from "./en/cause.json";
import enError from "./en/error.json";
import enField from "./en/field.json";
import enProblem from "./en/problemText.json";
import jaError from "./ja/error.json";
import jaField from "./ja/field.json";
import jaProblem from "./ja/problemText.json";
import { errorMeaning, fieldName, problemMessage, problemRemedy, problemSaid } from "./problem";

it("APP-3 a known key is shown by its label, and an unknown one as it is written", async () => {
  for (const [lng, field, problem, said] of [
    ["en", enField, enProblem, ["MCP servers", "Tool policy", "MCP servers (0.env.TOKEN)", "Name", "colour", "a.b"]],
    [
      "ja",
      jaField,
      jaProblem,
      ["MCPサーバー", "ツールの許可設定", "MCPサーバー（0.env.TOKEN）", "名前", "colour", "a.b"],
    ],
  ] as const) {
    const i18n = createInstance();
    await i18n.init({
      lng,
      resources: { [lng]: { translation: { field, problemText: problem } } },
      interpolation: { escapeValue: false },
    });
    expect(
      ["extra.mcpServers", "extra.mcpPolicy", "extra.mcpServers.0.env.TOKEN", "name", "extra.colour", "extra.a.b"].map(
        (f) => fieldName(i18n.t, f),
      ),
    ).toEqual(said);
    const secret = {
      code: "secret_in_clear",
      message: "",
      remedy: "",
      params: { agent: "Lead", field: "extra.mcpServers.0.env.TOKEN" },
    };
    expect(problemMessage(i18n.t, secret)).toContain(said[2]);
  }
});

it("APP-5 what is unavailable says why where that is known, and only else that it couldn't be done", async () => {
  const i18n = createInstance();
  await i18n.init({
    lng: "en",
    resources: { en: { translation: { error: enError, cause: enCause } } },
    interpolation: { escapeValue: false },
  });
  const said = (message: string, details?: Record<string, unknown>) =>
    errorMeaning(i18n.t, { code: "UNAVAILABLE", message, details });
  expect(said("x", { reason: "no_sandbox" })).toMatch(/^The settings require a sandbox/);
  expect(said("x", { reason: "not_running" })).toMatch(/^The model provider can't be reached\./);
  expect(said("x", { cause: "agent_unreached", reason: "unmet", url: "http://a.example" })).toBe(
    "Can't reach the agent at http://a.example.",
  );
  expect(said("cannot listen on 1.2.3.4:80")).toBe("cannot listen on 1.2.3.4:80");
  expect(said("a new reason", { reason: "new" })).toBe("a new reason");
  const trust = { code: "UNAVAILABLE", message: "", details: { cause: "waits_for_trust", agent: "dev" } };
  expect(errorMeaning(i18n.t, trust, (id) => (id === "dev" ? "Dev" : id))).toMatch(/^Dev is waiting for trust/);
  expect(said("")).toBe("It couldn't be done now. Try again.");
});

it("APP-5 what a model's provider says is about the provider, not about this page", async () => {
  const i18n = createInstance();
  await i18n.init({ lng: "en", resources: { en: { translation: { error: enError, cause: enCause } } } });
  const said = (code: string, reason?: string) => errorMeaning(i18n.t, { code, message: "x", details: { reason } });
  expect(said("UNAUTHORIZED", "bad_key")).toBe("The model provider rejected the API key.");
  expect(said("NOT_FOUND", "no_model")).toBe("The provider doesn't have this model.");
  expect(said("VALIDATION_ERROR", "bad_request")).toBe("The model provider rejected the request.");
  expect(said("VALIDATION_ERROR", "refusal")).toBe("The model refused to answer.");
  expect(said("UNAUTHORIZED")).toMatch(/^This page is no longer signed in/);
  expect(said("VALIDATION_ERROR", "no_model")).toMatch(/^The planner has no model/);
});

it("TR-1 what is allowed already is not asked for again", async () => {
  const i18n = createInstance();
  await i18n.init({ lng: "en", resources: { en: { translation: { problemText: enProblem } } } });
  const p = { code: "writes_outside", message: "", remedy: "", params: { agent: "Lead", folder: "/tmp" } };
  expect(problemRemedy(i18n.t, p)).toMatch(/^Allow it when you apply/);
  expect(problemRemedy(i18n.t, { ...p, params: { ...p.params, allowed: "yes" } })).toBe(
    "You allowed it. You can revoke that in Settings → Trust.",
  );
});

it("TR-2 a command stands apart from the sentence that it is in, with everything that is in it", async () => {
  const i18n = createInstance();
  const common = { sentences: "{{a}} {{b}}" };
  await i18n.init({ lng: "en", resources: { en: { translation: { problemText: enProblem, common } } } });
  const command = "run \uE0000\uE001 is never run.   Nothing\u200B runs";
  const p = { code: "runs_commands", message: "m", remedy: "r", params: { agent: "A", command } };
  expect(problemSaid(i18n.t, p)).toEqual([
    { text: "A runs " },
    { text: command, code: true },
    { text: " on this computer. Allow it when you apply only if you know the command. Otherwise remove mcpServers." },
  ]);
});

it("GW-7 the mistake of a team file is shown in the person's language, after its place", async () => {
  const i18n = createInstance();
  await i18n.init({
    lng: "ja",
    resources: { ja: { translation: { error: jaError } } },
    interpolation: { escapeValue: false },
  });
  const said = (details: Record<string, unknown>) =>
    errorMeaning(i18n.t, { code: "VALIDATION_ERROR", message: "in English", details });
  const at = { file: "a.yaml", line: 24 };
  expect(said({ ...at, reason: "no_id", kind: "note" })).toBe(
    "a.yaml:24: このメモにIDがありません。idでIDを付けてください。",
  );
  expect(said({ ...at, reason: "no_id", kind: "room" })).toMatch(/^a.yaml:24: この項目に/);
  expect(said({ line: 3, reason: "wrong_type", kind: "text_items", field: "tools.allow" })).toBe(
    "3行目: tools.allowの各項目は文字列にしてください。",
  );
  expect(said({ ...at, reason: "id_twice", id: "a", first: 3, count: 1 })).toMatch(
    /^a.yaml:24: ID aが重複しています（最初は3行目）。/,
  );
  expect(said({ reason: "not_a_team", file: "x" })).toMatch(/^チームのファイルではありません/);
  expect(said({ ...at, reason: "new" })).toBe("in English");
});
