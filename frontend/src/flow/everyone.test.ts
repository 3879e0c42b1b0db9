import { createInstance } from "i18next";
import { beforeAll, describe, expect, it } from "vitest";
import en from "@/i18n/en/canvas.json";
import list from "@/i18n/en/list.json";
import mark from "@/i18n/en/mark.json";
import spoken from "@/i18n/en/spoken.json";
import type { Problem } from "@/topology";
import { EVERYONE_NODE, everyoneNode, everyoneWords, hasEveryone } from "./everyone";

const i18n = createInstance();
beforeAll(() =>
  i18n.init({
    lng: "en",
    resources: { en: { translation: { canvas: en, list, mark, spoken } } },
    interpolation: { escapeValue: false },
  }),
);
const topology = {
  agents: [{ id: "a" }],
  layout: { a: { x: 0, y: 0 } },
  defaults: { model: { primary: "anthropic/claude" }, thinkingDefault: "low", sandbox: { mode: "all" } },
};

describe("the node of everyone", () => {
  it("OC-1 says in few words what is set", () => {
    expect(everyoneWords(i18n.t, topology)).toEqual({ sets: "claude · Thinking: low", count: "3 settings" });
    expect(everyoneWords(i18n.t, { defaults: { params: { a: 1 } } })).toEqual({
      sets: "For every agent",
      count: "1 setting",
    });
    expect(everyoneWords(i18n.t, { defaults: {} })).toEqual({ sets: "No settings" });
    expect([hasEveryone({}), hasEveryone(topology), hasEveryone({ messages: { enabled: false } })]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it("OC-1 takes no connection, can't be moved, and has a name that says what is set and changed", () => {
    const n = everyoneNode(i18n.t, { topology, mark: "chg", chosen: true });
    expect(n).toMatchObject({
      id: EVERYONE_NODE,
      handles: [],
      draggable: false,
      connectable: false,
      selectable: false,
      selected: true,
    });
    expect(n.ariaLabel).toBe("Everyone, claude · Thinking: low, 3 settings, Changed");
    expect(n.domAttributes).toEqual({ "aria-roledescription": "settings of every agent" });
  });

  it("OC-1 shows an error of its settings, and leaves those of agents to them", () => {
    const fault = (subject: Problem["subject"]) =>
      ({ id: subject, code: "odd", severity: "error", subject, message: "It is odd." }) as unknown as Problem;
    expect(everyoneNode(i18n.t, { topology, problems: [fault("agent")] }).data.fault).toBeUndefined();
    const shown = everyoneNode(i18n.t, { topology, problems: [fault("agent"), fault("defaults")] });
    expect(shown.data.fault).toBeTruthy();
    expect(shown.ariaLabel).toContain("1 problem: ");
    expect(everyoneNode(i18n.t, { topology, problems: [fault("defaults")], review: true }).data.fault).toBeUndefined();
  });
});
