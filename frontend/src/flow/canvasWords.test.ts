import { createInstance } from "i18next";
import { describe, expect, it } from "vitest";
import choose from "../i18n/en/choose.json";
import group from "../i18n/en/group.json";
import review from "../i18n/en/review.json";
import type { Change, Topology } from "../topology";
import { captionOf, titleOf } from "./describe";

const words = createInstance();
void words.init({
  lng: "en",
  resources: { en: { translation: { choose, group, review } } },
  interpolation: { escapeValue: false },
  initAsync: false,
});

const team: Topology = {
  agents: [{ id: "a", name: "Ops" }],
  groups: [
    { id: "g", name: "Build" },
    { id: "h", name: "Run" },
  ],
};

describe("changes of groups (APP-3)", () => {
  const said = (c: Partial<Change>) => {
    const change: Change = { id: "x", op: "moved", subject: "group", ...c },
      t = words.getFixedT("en");
    return `${titleOf(t, { after: team }, change)}: ${captionOf(t, { after: team }, change)}`;
  };
  it("say who moved between which groups", () => {
    expect(said({ agent: "a", field: "group", before: "g", after: "h" })).toBe("Ops: Group: Build → Run");
    expect(said({ agent: "a", field: "group", after: "h" })).toBe("Ops: Joins the group Run");
    expect(said({ agent: "a", field: "group", before: "g" })).toBe("Ops: Leaves the group Build");
  });
  it("say what became of a group", () => {
    expect(said({ item: "g", op: "added" })).toBe("Build: New group, not sent");
    expect(said({ item: "g", op: "changed", field: "name", before: "Old", after: "Build" })).toBe(
      "Build: Renamed from Old to Build, not sent",
    );
    expect(said({ item: "g", field: "locked", after: true })).toBe("Build: Locked, not sent");
    expect(said({ agent: "a", subject: "layout", field: "locked" })).toBe("Ops: Unlocked, not sent");
  });
});

it("a connection of agents with the same name names their IDs", () => {
  const twins: Topology = {
    agents: [
      { id: "a", name: "Boss" },
      { id: "b", name: "Writer" },
      { id: "c", name: "Writer" },
    ],
  };
  const title = (target: string) =>
    titleOf(words.getFixedT("en"), { after: twins }, { subject: "connection", agent: "a", target });
  expect([title("b"), title("c")]).toEqual(["Boss → Writer (b)", "Boss → Writer (c)"]);
});

it("an agent is named with its ID where another has the same name, now or before", () => {
  const team = (...names: string[]): Topology => ({ agents: names.map((name, i) => ({ id: "abc"[i]!, name })) });
  const title = (after: Topology, before: Topology, agent: string) =>
    titleOf(words.getFixedT("en"), { after, before }, { subject: "agent", agent });
  const twins = team("Boss", "Writer", "Writer"),
    none = team();
  expect(["a", "b", "c"].map((id) => title(twins, none, id))).toEqual(["Boss", "Writer (b)", "Writer (c)"]);
  expect(["a", "b"].map((id) => title(team("Boss", "Writer"), team("Writer"), id))).toEqual(["Boss", "Writer (b)"]);
});
