import { createInstance, type TFunction } from "i18next";
import { describe, expect, it } from "vitest";
import applyWords from "../../i18n/en/apply.json";
import enChoose from "../../i18n/en/choose.json";
import commonWords from "../../i18n/en/common.json";
import enList from "../../i18n/en/list.json";
import enReview from "../../i18n/en/review.json";
import jaChoose from "../../i18n/ja/choose.json";
import jaList from "../../i18n/ja/list.json";
import jaReview from "../../i18n/ja/review.json";
import type { Apply, Choice, Conflict, Preview, PreviewChange } from "@/topology";
import { failureOf, issuesOf, namedAgents, plannedSteps, shownSteps } from "./applies";
import {
  changeAt,
  countable,
  countMarks,
  countText,
  groupChanges,
  inOrder,
  placeOnCanvas,
  stayText,
  step,
} from "./changes";
import { failureNotice, failureText } from "./failures";
import { worthTelling } from "@/flow/changes";
import { shortValue } from "../../flow/describe";
import { choicesOf, decide, decideAll, sidesOf, sideText, stillValid, takenIn, undecided } from "./conflicts";
import { changedBy, joining, sizeOfTeam, undecidedIds } from "./first";
import { findPlace } from "./place";
import { compareWords } from "./words";

const change = (
  id: string,
  op: PreviewChange["op"],
  subject: PreviewChange["subject"],
  more: Partial<PreviewChange> = {},
): PreviewChange => ({ id, op, subject, impact: "hot", ...more });
const list = [
  change("connection:lead:command:dev", "removed", "connection", { agent: "lead", target: "dev", kind: "command" }),
  change("agent:dev", "removed", "agent", { agent: "dev" }),
  change("layout:lead", "moved", "layout", { agent: "lead", impact: "local" }),
  change("agent:lead:model", "changed", "agent", { agent: "lead", field: "model" }),
  change("agent:qa", "added", "agent", { agent: "qa" }),
  change("connection:qa:review:lead", "added", "connection", { agent: "qa", target: "lead", kind: "review" }),
];

describe("the list of changes (APP-3)", () => {
  const groups = groupChanges(list),
    order = inOrder(groups);
  it("groups by agents, connections and canvas, each added, changed, removed", () => {
    expect(groups.map((g) => [g.name, g.changes.map((c) => c.id)])).toEqual([
      ["agents", ["agent:qa", "agent:lead:model", "agent:dev"]],
      ["connections", ["connection:qa:review:lead", "connection:lead:command:dev"]],
      ["canvas", ["layout:lead"]],
    ]);
  });
  it("counts what is sent, as the canvas does, and what isn't sent only where there is nothing else", () => {
    expect(countable(list)).toHaveLength(5);
    expect(countable(list.slice(2, 3))).toHaveLength(1);
  });
  it("doesn't list the place of an agent that comes or goes, nor one that was only given", () => {
    const places = (["qa", "dev", "new"] as const).map((agent) =>
      change(`layout:${agent}`, agent === "dev" ? "removed" : "added", "layout", { agent, impact: "local" }),
    );
    const lock = change("layout:qa:locked", "moved", "layout", { agent: "qa", field: "locked", impact: "local" });
    expect(inOrder(groupChanges([...list, ...places, lock]))).toEqual(order);
    expect(stayText(((key: string) => key) as TFunction, [...list.slice(3), ...places, lock])).toBe("");
    expect(inOrder(groupChanges(places.slice(0, 1)))).toEqual(places.slice(0, 1));
  });
  it("keeps a setting that a file tells the agent with the agent, and doesn't count it as not sent", () => {
    const told = change("agent:lead:persona", "changed", "agent", {
      impact: "local",
      field: "persona",
      file: "SOUL.md",
    });
    const [agents, canvas] = groupChanges([list[3]!, told, list[2]!]);
    expect([agents?.changes.map((c) => c.id), canvas?.changes.length]).toEqual([[list[3]!.id, told.id], 1]);
    expect(stayText(((key: string) => key) as TFunction, [list[3]!, told])).toBe("");
  });
  it("names the agents of the gateway that get the team's settings, once each", () => {
    const of = (agent: string, field: string, more: Partial<PreviewChange> = {}) =>
      change(`agent:${agent}:${field}`, "changed", "agent", { agent, field, ...more });
    const changes = [
      ...list,
      of("coder", "role"),
      of("coder", "persona"),
      of("out", "role", { leftOut: true }),
      of("here", "role", { impact: "local" }),
      of("told", "persona", { impact: "local", file: "SOUL.md" }),
    ];
    expect(changedBy({ changes } as Preview)).toEqual(["lead", "coder", "told"]);
    const meets = (choice?: Choice) => {
      const conflicts = [{ id: "agent:coder", reason: "both_added", subject: "agent", agent: "coder", choice }];
      const merge = { conflicts, others: ["qa"], merged: { agents: [{ id: "qa" }, { id: "coder" }, { id: "me" }] } };
      const p = { changes, merge } as unknown as Preview;
      return [changedBy(p), undecidedIds(p), joining(p), sizeOfTeam(p), takenIn(p).map((c) => `${c.op} ${c.id}`)];
    };
    expect(meets()).toEqual([["lead", "told"], ["coder"], ["qa"], 2, []]);
    expect(meets("mine")).toEqual([["lead", "coder", "told"], [], ["qa"], 2, []]);
    expect(meets("both").slice(1)).toEqual([[], ["qa", "coder"], 1, ["added agent:coder"]]);
  });
  it("says the same number of changes in the head and in the foot, and what stays in AgentFlow apart from it", () => {
    const say = (lng: "en" | "ja", changes: readonly PreviewChange[]) => {
      const i18n = createInstance();
      const words = {
        en: { review: enReview, choose: enChoose, list: enList },
        ja: { review: jaReview, choose: jaChoose, list: jaList },
      };
      void i18n.init({ lng, initAsync: false, resources: { [lng]: { translation: words[lng] } } });
      return [countText(i18n.t, changes), stayText(i18n.t, changes)];
    };
    const place = (n: number) => change(`layout:${n}`, "moved", "layout", { agent: `a${n}`, impact: "local" });
    const drawn = [...list, ...Array.from({ length: 7 }, (_, n) => place(n))];
    expect(say("en", drawn)).toEqual(["5 changes", "5 changes, plus 8 that stay in AgentFlow"]);
    expect(say("en", list)).toEqual(["5 changes", "5 changes, plus 1 that stays in AgentFlow"]);
    expect(say("ja", drawn)).toEqual(["変更5件", "変更5件、ほかに8件はAgentFlowにだけ残ります"]);
    expect(say("en", list.slice(3))).toEqual(["3 changes", ""]);
    expect(say("en", [place(0)])).toEqual(["1 change", ""]);
  });
  it("counts by mark and leaves out what there is none of", () =>
    expect(countMarks(list.slice(0, 3))).toEqual([
      { mark: "del", n: 2 },
      { mark: "mov", n: 1 },
    ]));
  it("counts a place on the canvas as moved, also where there was none", () =>
    expect(countMarks([change("layout:qa", "added", "layout", { agent: "qa" })])).toEqual([{ mark: "mov", n: 1 }]));
  it("steps through in the order of the list and stops at its ends", () => {
    expect(step(order, undefined, 1)).toBe("agent:qa");
    expect(step(order, undefined, -1)).toBe("layout:lead");
    expect(step(order, "agent:dev", 1)).toBe("connection:qa:review:lead");
    expect(step(order, "layout:lead", 1)).toBe("layout:lead");
    expect(step([], undefined, 1)).toBeUndefined();
  });
  it("finds the change that a click on the canvas means: the agent's own before its place", () => {
    expect(changeAt(order, { agent: "lead" })?.id).toBe("agent:lead:model");
    expect(changeAt(order, { connection: "connection:qa:review:lead" })?.id).toBe("connection:qa:review:lead");
    expect(changeAt(order, { agent: "nobody" })).toBeUndefined();
    expect(placeOnCanvas(list[0])).toEqual({
      chosen: { connections: ["connection:lead:command:dev"] },
      agents: ["lead", "dev"],
    });
  });
  it("shows short values only", () => {
    expect([
      shortValue("gpt-5"),
      shortValue("a\nb"),
      shortValue("x".repeat(50)),
      shortValue(["a", "b"]),
      shortValue(0.5),
      shortValue({}),
    ]).toEqual(["gpt-5", undefined, undefined, "a, b", "0.5", undefined]);
  });
  it("tells of merged changes, but not of places", () => expect(worthTelling(list)).toHaveLength(5));
});

const conflict = (id: string, more: Partial<Conflict> = {}): Conflict => ({
  id,
  reason: "both_changed",
  subject: "agent",
  agent: "lead",
  field: "model",
  base: "a",
  mine: "b",
  theirs: "c",
  ...more,
});

describe("choices in a merge", () => {
  const one = conflict("agent:lead:model"),
    two = conflict("agent:qa", { keepBoth: true, field: undefined });
  it("are sent by conflict and count as decided", () => {
    const made = decide(decide({}, one, "mine"), two, "both");
    expect(choicesOf(made)).toEqual({ "agent:lead:model": "mine", "agent:qa": "both" });
    expect(undecided(made, [one, two])).toEqual([]);
  });
  it("keep both only where that is offered", () => {
    expect(decide({}, one, "both")).toEqual({});
    expect(sidesOf(one)).toEqual(["mine", "theirs", "base"]);
    expect(sidesOf(two)).toEqual(["mine", "theirs", "base", "both"]);
  });
  it("fall when the other side has changed its mind, and stand when nothing did", () => {
    const made = decideAll({}, [one, two], "theirs");
    expect(stillValid(made, [one, two])).toBe(made);
    const moved = conflict("agent:lead:model", { theirs: "d" });
    expect(choicesOf(stillValid(made, [moved, two]))).toEqual({ "agent:qa": "theirs" });
    expect(undecided(made, [moved, two])).toEqual([moved]);
    expect(stillValid(made, [])).toEqual({});
  });
  it("show of whole agents only what sets them apart", () => {
    const c = conflict("agent:x", {
      field: undefined,
      base: { id: "x", name: "X", role: "a" },
      mine: { id: "x", name: "X", role: "b" },
      theirs: undefined,
    });
    expect([sideText(c, "base"), sideText(c, "mine"), sideText(c, "theirs")]).toEqual(["role: a", "role: b", null]);
  });
});

describe("differences in words", () => {
  const marked = (a: string, b: string) =>
    compareWords(a, b)
      .map((p) => (p.changed ? `[${p.text}]` : p.text))
      .join("");
  it("marks what is new, a phrase as one", () => {
    expect(marked("a way to solve it", "two good ways to solve it")).toBe("[two good ways] to solve it");
    expect(marked("same", "same")).toBe("same");
    expect(marked("", "all")).toBe("[all]");
  });
  it("goes by character in Japanese", () => expect(marked("短い文で書く", "長い文で書く")).toBe("[長]い文で書く"));
  it("gives up on the middle of endless texts instead of hanging", () => {
    const a = Array.from({ length: 900 }, (_, i) => `a${i}`).join(" "),
      b = Array.from({ length: 900 }, (_, i) => `b${i}`).join(" ");
    expect(compareWords(`x ${a}`, `x ${b}`).map((p) => p.changed)).toEqual([false, true]);
  });
});

describe("where a change stands in the text", () => {
  const yaml =
    "agents:\n  lead:\n    name: dev\n    model: a\n    subagents:\n      allowAgents: [dev]\n  dev:\n    name: Dev\n    connections:\n      - {targetId: lead, type: review}\n";
  const json = JSON.stringify(
    {
      agents: {
        list: [
          { name: "Lead", id: "lead", model: "a" },
          { id: "dev", model: "b", subagents: { allowAgents: ["lead"] } },
        ],
      },
    },
    null,
    2,
  );
  const at = (text: string, c: Partial<PreviewChange>) => {
    const p = findPlace("", text, change("x", "changed", "agent", c));
    return p && text.split("\n")[p.line - 1]?.trim();
  };
  it("finds entries by key, not by a value of the same name", () => {
    expect(at(yaml, { agent: "dev" })).toBe("dev:");
    expect(at(yaml, { agent: "lead", field: "model" })).toBe("model: a");
  });
  it("finds items of a list by their id", () => {
    expect(at(json, { agent: "lead", field: "model" })).toBe('"model": "a"');
    expect(at(json, { agent: "dev", field: "model" })).toBe('"model": "b",');
  });
  it("finds the end of a connection", () => {
    expect(at(yaml, { subject: "connection", agent: "lead", target: "dev", kind: "command" })).toBe(
      "allowAgents: [dev]",
    );
    expect(at(yaml, { subject: "connection", agent: "dev", target: "lead", kind: "review" })).toBe(
      "- {targetId: lead, type: review}",
    );
    expect(at(json, { subject: "connection", agent: "dev", target: "lead", kind: "command" })).toBe('"lead"');
  });
  it("looks for what went in the old text, and for places nowhere", () => {
    expect(findPlace(yaml, "agents: {}\n", change("x", "removed", "agent", { agent: "dev" }))).toEqual({
      side: "before",
      line: 7,
    });
    expect(findPlace(yaml, yaml, change("x", "moved", "layout", { agent: "dev" }))).toBeNull();
    expect(findPlace(yaml, yaml, change("x", "added", "agent", { agent: "nobody" }))).toBeNull();
  });
});

describe("how an apply ended", () => {
  const steps = (apply: Apply["steps"][number]): Apply["steps"] => [
    { name: "check", state: "done" },
    apply,
    { name: "wait", state: "failed" },
  ];
  const link = { code: "GATEWAY_ERROR", message: "x", details: { reason: "link_down" } };
  it("tells a gateway that did not answer from one that took the config and is away", () => {
    expect(failureOf(link, { state: "failed", steps: steps({ name: "apply", state: "failed" }) })).toBe("link");
    expect(failureOf(link, { state: "failed", steps: steps({ name: "apply", state: "done" }) })).toBe("away");
    expect(
      failureOf(link, {
        state: "failed",
        steps: steps({ name: "apply", state: "unknown", detail: "the gateway's answer was lost" }),
      }),
    ).toBe("link");
  });
  it("knows every reason", () => {
    const why = (reason: string, code = "GATEWAY_ERROR") => failureOf({ code, message: "", details: { reason } });
    expect(
      [
        "no_scope",
        "rate_limited",
        "rejected",
        "verify_mismatch",
        "not_active",
        "files_left",
        "jobs_left",
        "stale_base",
        "undecided_conflicts",
        "bad_token",
        "pairing_required",
        "?",
      ].map((r) => why(r)),
    ).toEqual([
      "scope",
      "limited",
      "rejected",
      "mismatch",
      "inactive",
      "filesLeft",
      "jobsLeft",
      "stale",
      "undecided",
      "token",
      "pairing",
      "other",
    ]);
    expect(failureOf(undefined, { state: "unknown", steps: [] })).toBe("unknown");
    expect(failureOf({ code: "UNAUTHORIZED", message: "" })).toBe("token");
  });
  const i18n = createInstance();
  void i18n.init({
    lng: "en",
    initAsync: false,
    resources: { en: { translation: { apply: applyWords, common: commonWords } } },
    interpolation: { escapeValue: false },
  });
  const t = i18n.t;
  it("says of a failed comparison only what is sure", () => {
    const said = (reason: string) =>
      failureText(t, failureOf({ code: "GATEWAY_ERROR", message: "", details: { reason } }), undefined, "preview");
    for (const reason of ["rejected", "rate_limited", "outcome_unknown", "link_down"])
      expect(said(reason)).not.toContain("changed");
  });
  it("ends the title of a toast before the meaning", () => {
    const a = { kind: "rollback", state: "failed", steps: [] } as unknown as Apply;
    expect(failureNotice(t, "mismatch", a)).toContain("what was sent. The gateway");
    expect(failureNotice(t, "rejected", a)).toContain("apply. The gateway");
  });
  it("puts what the gateway rejects at its agents", () => {
    const agents = [{ id: "lead" }, { id: "dev" }];
    const issues = issuesOf(
      {
        code: "GATEWAY_ERROR",
        message: "",
        details: {
          issues: [
            { path: "agents.entries.dev.model", message: "bad" },
            { path: "agents.list.0.tools", message: "no" },
            { path: "gateway.port", message: "?" },
            null,
          ],
        },
      },
      agents,
    );
    expect(issues.map((i) => i.agent)).toEqual(["dev", "lead", undefined]);
    expect(issuesOf({ code: "X", message: "" }, agents)).toEqual([]);
    expect(namedAgents({ code: "X", message: "", details: { agents: ["qa", 1] } })).toEqual(["qa"]);
  });
  it("shows the deletion only where there is one, and a restart as such", () => {
    const all: Apply["steps"] = (["check", "snapshot", "delete", "apply", "wait", "verify"] as const).map((name) => ({
      name,
      state: "waiting",
    }));
    expect(shownSteps(all, false).map((s) => s.name)).toEqual(["check", "snapshot", "apply", "wait", "verify"]);
    expect(shownSteps(all, true)).toHaveLength(6);
    const p = {
      files: [],
      deletions: [],
      problems: [],
      restart: { needed: true, seconds: 8 },
    } as unknown as Parameters<typeof plannedSteps>[0];
    expect(plannedSteps(p).map((s) => s.name + (s.expectedSeconds ?? ""))).toEqual([
      "check",
      "snapshot",
      "apply",
      "wait8",
      "verify",
    ]);
  });
  it("OC-2 writes the files first, and those of new agents last", () => {
    const file = (later?: boolean) => ({ agent: "a", name: "SOUL.md", guarded: true, later });
    const p = { files: [file(), file(true)], deletions: [], problems: [], restart: { needed: false } };
    expect(plannedSteps(p as unknown as Parameters<typeof plannedSteps>[0]).map((s) => s.name)).toEqual([
      "check",
      "snapshot",
      "files",
      "apply",
      "verify",
      "new_files",
    ]);
  });
  it("say that the check failed while an error blocks the apply, and that it is done beside a warning", () => {
    const checked = (severity: string) =>
      plannedSteps({
        files: [],
        deletions: [],
        problems: [{ severity }],
        restart: { needed: false },
      } as unknown as Parameters<typeof plannedSteps>[0])[0]?.state;
    expect([checked("error"), checked("warning")]).toEqual(["failed", "done"]);
  });
});
