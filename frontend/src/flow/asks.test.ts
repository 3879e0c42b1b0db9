import { createInstance } from "i18next";
import { describe, expect, it } from "vitest";
import error from "../i18n/en/error.json";
import trust from "../i18n/en/trust.json";
import jaTrust from "../i18n/ja/trust.json";
import type { TrustAsk } from "../topology";
import { askRows, refusalOf } from "./asks";

const words = createInstance();
void words.init({
  lng: "en",
  resources: { en: { translation: { trust, error } }, ja: { translation: { trust: jaTrust } } },
  interpolation: { escapeValue: false },
  initAsync: false,
});
const en = words.getFixedT("en"),
  ja = words.getFixedT("ja");

const row = (ask: TrustAsk, t = en) => askRows(t, [ask])[0]!;
const text = (ask: TrustAsk, t = en) =>
  row(ask, t)
    .said.map((p) => (p.code ? `‹${p.text}›` : p.text))
    .join("");
const facts = (ask: TrustAsk) => Object.fromEntries(row(ask).facts.map((f) => [f.name, f.values]));

describe("TR-1 what a team asks of this computer, in words", () => {
  it("says each kind of it, in both languages", () => {
    expect(text({ kind: "runs", command: ["npx", "-y", "pkg@1"] })).toBe("It runs ‹npx -y pkg@1› on this computer.");
    expect(text({ kind: "runs", command: ["npx", "-y", "pkg@1"] }, ja)).toBe(
      "このコンピューターで‹npx -y pkg@1›を実行します。",
    );
    expect(text({ kind: "sends", url: "http://h:1/a", origin: "http://h:1", variables: ["AGENTFLOW_AGENT_X"] })).toBe(
      "Sends tasks and ‹AGENTFLOW_AGENT_X› to ‹http://h:1›.",
    );
    expect(text({ kind: "sends", url: "http://h:1", origin: "http://h:1" })).toBe("Sends tasks to ‹http://h:1›.");
    expect(text({ kind: "reaches", url: "http://h/mcp", origin: "http://h" })).toBe("Connects to ‹http://h›.");
    expect(text({ kind: "reaches", url: "http://h/mcp", origin: "http://h", variables: ["A"] })).toBe(
      "Sends ‹A› to ‹http://h›.",
    );
    expect(text({ kind: "writes", folders: ["/a", "/b"] })).toMatch(/^Can write in ‹\/a›.*‹\/b›\.$/);
    expect(text({ kind: "lets_in", variables: ["A"] })).toBe("Lets in anyone with the secret ‹A› as this agent.");
    expect(text({ kind: "unasked", policy: { default: "auto" } })).toBe("It uses its tools without asking you.");
    expect(text({ kind: "unasked", tools: ["rm"], policy: { tools: { rm: "auto" } } })).toBe(
      "It uses ‹rm› without asking you.",
    );
    expect(text({ kind: "bounds" })).toBe("Sets limits for its own process.");
  });
  it("names a variable that has no value here, at what asks for it", () => {
    const rows = askRows(
      ja,
      [{ kind: "sends", url: "http://h", variables: ["A", "B"] }, { kind: "bounds" }],
      ["B", "C"],
    );
    expect(rows.map((r) => r.unset.map((p) => p.text).join(""))).toEqual([
      "Bは、このコンピューターで設定されていません。AgentFlowを起動する環境で設定し、AgentFlowを再起動してください。",
      "",
    ]);
  });
  it("shows each argument with its limits, and no argument as words of ours", () => {
    expect(text({ kind: "runs", command: ["sh", "-c", "touch a; b", "", "on this computer. Runs x"] })).toBe(
      'It runs ‹sh -c "touch a; b" "" "on this computer. Runs x"› on this computer.',
    );
    expect(text({ kind: "writes", folders: ["\uE0000\uE001 {{host}} $t(trust.none)"] })).toBe(
      "Can write in ‹\uE0000\uE001 {{host}} $t(trust.none)›.",
    );
  });
  it("leaves nothing out that the permission covers", () => {
    const long = "x".repeat(20_000);
    expect(facts({ kind: "runs", server: "files", command: ["a", long], variables: ["A", "B"] })).toEqual({
      "MCP server": ["files"],
      Variables: ["A", "B"],
    });
    expect(text({ kind: "runs", command: ["a", long] })).toContain(long);
    expect(
      facts({
        kind: "reaches",
        server: "s",
        command: ["a"],
        url: "http://h/mcp?x=1",
        origin: "http://h",
        variables: ["A"],
      }),
    ).toEqual({ "MCP server": ["s"], Command: ["a"], Address: ["http://h/mcp?x=1"] });
    expect(facts({ kind: "sends", url: "http://h/a", origin: "http://h", fingerprint: "sha256:1" })).toEqual({
      Address: ["http://h/a"],
      Fingerprint: ["sha256:1"],
    });
    expect(facts({ kind: "writes", folders: ["/a"], tools: ["files"] })).toEqual({ Tools: ["files"] });
    expect(facts({ kind: "unasked", policy: { default: "auto", tools: { b: "ask", a: "deny" } } })).toEqual({
      "Tool policy": ["default: auto", "a: deny", "b: ask"],
    });
    expect(
      facts({
        kind: "bounds",
        security: { blockedCommands: ["rm"], askConfirmationCommands: ["git push"], allowedAddresses: ["a:1"] },
      }),
    ).toEqual({ "Blocked commands": ["rm"], "Commands it asks about": ["git push"], "Allowed addresses": ["a:1"] });
  });
  it("says why something cannot be allowed, with the remedy", () => {
    expect(
      refusalOf(en, {
        code: "VALIDATION_ERROR",
        message: "m",
        details: { reason: "variable_refused", variable: "OPENAI_API_KEY" },
      }),
    ).toBe(
      "A team can't name the variable OPENAI_API_KEY. Use a variable with the prefix AGENTFLOW_AGENT_ in the team.",
    );
    expect(
      refusalOf(en, { code: "VALIDATION_ERROR", message: "m", details: { field: "extra.mcpServers", agent: "a" } }),
    ).toBe("mcpServers can't be read, so it can't be shown in full. Fix it in the team.");
    expect(refusalOf(en, { code: "VALIDATION_ERROR", message: "the hub's own words" })).toBe("the hub's own words");
  });
});
