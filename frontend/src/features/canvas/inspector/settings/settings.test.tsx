// @vitest-environment happy-dom
import { createInstance } from "i18next";
import { act } from "react";
import { createRoot } from "react-dom/client";
import { I18nextProvider, initReactI18next } from "react-i18next";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import en from "@/i18n/en/agentSettings.json";
import { countSet, type Agent, type Setting } from "@/topology";
import { isNumberField, ownField } from "./own";
import { readRaw } from "./rawRead";
import everyone from "./recorded-everyone.json";
import recorded from "./recorded.json";
import { inSections, sections } from "./sections";
import { SettingControl } from "./SettingControl";
import {
  ANY,
  below,
  blockedBy,
  common,
  configOf,
  finds,
  flatten,
  formFor,
  formsOf,
  humanize,
  isObject,
  parseJson,
  parseLines,
  parseText,
  REDACTED,
  valueAt,
  withValue,
  type Form,
  type Json,
} from "./tree";

// The settings are those that a real gateway offers, as the hub describes them.
// `go test ./backend/gateway/client -run OC1 -update` keeps recorded.json current.
const settings = recorded as unknown as Setting[];
const all = flatten(settings);
const i18n = createInstance();
beforeAll(async () => {
  (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
  Element.prototype.scrollIntoView = () => undefined;
  Element.prototype.hasPointerCapture = () => false;
  await i18n.use(initReactI18next).init({
    lng: "en",
    resources: { en: { translation: { agentSettings: en } } },
    interpolation: { escapeValue: false },
  });
});
let shut: (() => void) | undefined;
afterEach(() => shut?.());

/** Renders the control of a setting, whose values arrive in `given`. */
function show(setting: Setting, value: Json = undefined, inherited: Json = undefined) {
  const box = document.body.appendChild(document.createElement("div")),
    root = createRoot(box),
    given: Json[] = [];
  const draw = (value: Json) =>
    act(() => {
      root.render(
        <I18nextProvider i18n={i18n}>
          <SettingControl
            setting={setting}
            label={setting.key}
            id="control"
            value={value}
            inherited={inherited}
            onValue={(v) => given.push(v)}
          />
        </I18nextProvider>,
      );
    });
  draw(value);
  shut = () => {
    act(() => root.unmount());
    box.remove();
    shut = undefined;
  };
  return { box, given, draw };
}

const click = (e: Element | null | undefined) => {
  if (!e) throw new Error("nothing to press");
  act(() => {
    (e as HTMLElement).click();
  });
};
const named = (box: Element, selector: string, text: string) =>
  [...box.querySelectorAll(selector)].find((e) => e.textContent === text);

function type(box: Element, text: string): void {
  const field = box.querySelector<HTMLInputElement | HTMLTextAreaElement>("input, textarea");
  if (!field) throw new Error("there is no field");
  act(() => {
    field.focus();
    const proto = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype;
    Object.getOwnPropertyDescriptor(proto, "value")?.set?.call(field, text);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
  act(() => {
    globalThis.dispatchEvent(new Event("blur")); // as from another window: nothing waits any longer
  });
}

function choose(box: Element, option: string): void {
  const trigger = box.querySelector("[role=combobox]");
  act(() => {
    trigger?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  });
  const item = named(document.body, "[role=option]", option);
  act(() => {
    item?.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  });
}

/** What a person does in a form, and the value that comes of it. */
const ways: Record<Form, (box: Element, s: Setting) => Json> = {
  toggle: (box) => {
    click(named(box, "button", "On"));
    return true;
  },
  choice: (box, s) => {
    const last = s.choices?.at(-1) ?? "";
    choose(box, last);
    return last;
  },
  text: (box, s) => {
    const plain = s.kinds.includes("text"),
      number = s.bounds?.minimum ?? Math.min(7, s.bounds?.maximum ?? 7);
    type(box, plain ? "a text" : String(number));
    return plain ? "a text" : number;
  },
  secret: (box) => {
    type(box, "${A_SECRET}");
    return "${A_SECRET}";
  },
  list: (box, s) => {
    const items = s.items?.kinds.includes("text")
      ? ["one", "two words"]
      : s.items?.choices
        ? s.items.choices.slice(-1)
        : [7];
    type(box, items.join("\n"));
    return items;
  },
  json: (box) => {
    type(box, '{"own": {"list": [1, null]}}');
    return { own: { list: [1, null] } };
  },
};

describe("all settings (OC-1)", () => {
  it("OC-1 each of a real gateway's settings gives the value that its control was set to, in each of its forms", () => {
    let driven = 0;
    const wrong: string[] = [];
    for (const { setting, path } of all) {
      if (ownField(path)) continue;
      const forms = formsOf(setting);
      if (!forms.length && !setting.settings?.length) wrong.push(`${path.join(".")} has no control`);
      for (const form of forms) {
        const { box, given } = show(setting);
        if (forms.length > 1) click(named(box, ".seg button", en.form[form]));
        const want = ways[form](box, setting);
        if (JSON.stringify(given) !== JSON.stringify([want]))
          wrong.push(`${path.join(".")} as ${form}: ${JSON.stringify(given)}, not ${JSON.stringify(want)}`);
        shut?.();
        driven++;
      }
    }
    expect(wrong).toEqual([]);
    const own = all.filter(({ path }) => ownField(path)).length;
    expect(own).toBe(9 + 1); // model and model.primary are one field
    expect(driven + own).toBeGreaterThan(246);
  });

  it("OC-1 a stored secret is never shown, and only a reference replaces it", () => {
    const secret = all.find(({ path }) => path.join(".") === "memory.search.remote.apiKey")?.setting;
    for (const stored of [REDACTED, "swordfish"]) {
      const { box, given } = show(secret!, stored);
      expect(box.innerHTML).not.toContain(stored);
      type(box, "sk-in-clear");
      expect(given).toEqual([]);
      expect(box.textContent).toContain("Enter a reference");
      type(box, "${MY_KEY}");
      expect(given).toEqual(["${MY_KEY}"]);
      shut?.();
    }
  });

  it("OC-1 what can't be a value stays as it was typed, says where it is wrong, and isn't saved", () => {
    const env = all.find(({ path }) => path.join(".") === "sandbox.docker.env")!.setting;
    const { box, given } = show(env, { A: "b" });
    type(box, '{\n  "A" 1\n}');
    expect(given).toEqual([]);
    expect(box.textContent).toMatch(/line 2, column \d/);
    expect(box.querySelector("textarea")?.value).toBe('{\n  "A" 1\n}');
    shut?.();
    const limit = all.find(({ path }) => path.join(".") === "sandbox.docker.pidsLimit")!.setting;
    const number = show(limit);
    type(number.box, "1.5");
    expect([number.given, number.box.textContent]).toEqual([[], "Enter a whole number."]);
  });

  it("OC-1 a value that the schema doesn't expect stays editable as JSON", () => {
    const mode = all.find(({ path }) => path.join(".") === "sandbox.mode")!.setting;
    expect([formFor(mode, 7), formFor(mode, { a: 1 }), formFor(mode, "no choice of it")]).toEqual([
      undefined,
      undefined,
      "choice",
    ]);
    const { box, given } = show(mode, { a: 1 });
    type(box, '{"a": 2}');
    expect(given).toEqual([{ a: 2 }]);
    const any = { key: "x", kinds: ["quantum"] };
    expect(formFor(any, undefined) ?? "json").toBe("json");
  });

  it("OC-1 a setting is found by its label, its path and its help", () => {
    const found = (query: string) =>
      all.filter(({ setting, path }) => finds(query, setting, path)).map(({ path }) => path.join("."));
    expect(found("Docker GPUs")).toEqual(["sandbox.docker.gpus"]);
    expect(found("docker.pidslimit")).toEqual(["sandbox.docker.pidsLimit"]);
    expect(found("workspace-relative path")).toEqual(["identity.avatar"]);
    expect(found("ＧＰＵ　Docker")).toContain("sandbox.docker.gpus");
  });
});

describe("sections", () => {
  const paths = (s: readonly { path: readonly string[] }[]) => s.map((x) => x.path.join("."));
  it("OC-1 each key of a section is a setting of the recorded gateway, and is in the list of no other", () => {
    const parts = inSections(settings);
    expect(Object.fromEntries(parts.sections.map((s) => [s.name, paths(s.settings)]))).toEqual(sections);
    const rest = new Set(flatten(parts.rest).map((x) => x.path.join(".")));
    const placed = parts.sections.flatMap((s) => s.settings),
      plain = paths(placed.filter((x) => !x.setting.settings?.length));
    expect(plain.filter((path) => rest.has(path))).toEqual([]);
    const lost = all.filter(({ setting, path }) => {
      const text = path.join(".");
      return formsOf(setting).length > 0 && !rest.has(text) && !plain.includes(text);
    });
    expect(lost).toEqual([]);
  });

  it("OC-1 a gateway that has none of them, and what everyone inherits, show what there is", () => {
    expect(inSections([{ key: "odd", kinds: ["text"] }])).toEqual({
      sections: [],
      rest: [{ key: "odd", kinds: ["text"] }],
    });
    const parts = inSections(everyone as unknown as Setting[]);
    expect(parts.sections.map((s) => s.name)).toContain("heartbeat");
    expect(parts.sections.map((s) => s.name)).not.toContain("identity");
  });
});

describe("values of settings", () => {
  it("OC-1 several agents show what they share", () => {
    expect(
      common([
        { a: 1, b: { c: 2, d: 3 } },
        { a: 2, b: { c: 2 } },
      ]),
    ).toEqual({ b: { c: 2 } });
    expect(common([{ a: [1] }, { a: [1] }])).toEqual({ a: [1] });
    expect([common([{ a: 1 }, 1]), common([{ a: 1 }, {}]), common([])]).toEqual([undefined, undefined, undefined]);
  });

  it("OC-1 a reset takes the value away, and each map that was only there for it", () => {
    const set = withValue({ a: 1 }, ["b", "c", "d"], 2);
    expect(set).toEqual({ a: 1, b: { c: { d: 2 } } });
    expect(withValue(set, ["b", "c", "d"], undefined)).toEqual({ a: 1 });
    expect(withValue({ b: { c: 1 } }, ["b", "c"], undefined)).toBeUndefined();
    expect(withValue({ a: 1 }, ["b", "c"], undefined)).toEqual({ a: 1 });
    expect(withValue(undefined, ["a"], false)).toEqual({ a: false });
    expect([valueAt(set, ["b", "c"]), valueAt(set, ["a", "x"]), valueAt({}, ["toString"])]).toEqual([
      { d: 2 },
      undefined,
      undefined,
    ]);
  });

  it("OC-1 nothing is set below a single value", () => {
    expect(blockedBy({ tools: { codeMode: true } }, ["tools", "codeMode", "mode"])).toEqual(["tools", "codeMode"]);
    expect(blockedBy({ tools: {} }, ["tools", "codeMode", "mode"])).toBeUndefined();
  });

  it("OC-1 an agent's own fields are where its config has them", () => {
    const agent = {
      id: "a",
      name: "A",
      model: "m",
      fallbacks: ["n"],
      tools: { deny: ["x"] },
      connections: [{ targetId: "b", type: "command" }],
      extra: { tools: { exec: { mode: "ask" } }, sandbox: { mode: "off" } },
    } as unknown as Agent;
    expect(configOf(agent)).toMatchObject({
      model: { primary: "m", fallbacks: ["n"] },
      tools: { deny: ["x"], exec: { mode: "ask" } },
      subagents: { allowAgents: ["b"] },
      sandbox: { mode: "off" },
    });
    expect(configOf({ id: "a" })).toEqual({ id: "a" });
    expect(isNumberField(["temperature"])).toBe(true);
  });

  it("OC-1 each entry of a map stands for itself", () => {
    const models = settings.find((s) => s.key === "models")!;
    const shown = below(models, ["models"], { models: { x: {} } }, { models: { y: {}, x: {} } });
    expect(shown.map((s) => s.path.join("."))).toEqual(["models.x", "models.y"]);
    expect(countSet({ a: { b: 1, c: [] }, d: {} })).toBe(3);
    expect(models.settings?.[0]?.key).toBe(ANY);
    expect(isObject([])).toBe(false);
  });

  it("OC-1 texts become numbers, lists and JSON only where they are", () => {
    const kinds = (...kinds: string[]): Setting => ({ key: "k", kinds });
    expect(parseText(kinds("text", "number"), "512")).toEqual({ value: 512 });
    expect(parseText(kinds("text", "number"), "512m")).toEqual({ value: "512m" });
    const bounded = { ...kinds("integer"), bounds: { exclusiveMinimum: 0, maximum: 10 } };
    expect(parseText(bounded, "10")).toEqual({ value: 10 });
    expect(parseText(bounded, "0")).toEqual({ fault: "exclusiveMinimum", bound: 0 });
    expect(parseText(bounded, "11")).toEqual({ fault: "maximum", bound: 10 });
    expect(parseText({ ...bounded, kinds: ["integer", "text"] }, "-3")).toEqual({ value: -3 });
    expect(parseText(kinds("integer"), "0x10")).toEqual({ fault: "integer" });
    expect(parseText(kinds("number"), "1e400")).toEqual({ fault: "number" });
    expect(parseText(kinds("number"), " ")).toEqual({ value: undefined });
    expect(parseLines({ key: "k", kinds: ["list"], items: { kinds: ["integer"] } }, "1\nx")).toEqual({
      fault: "integer",
    });
    expect(parseLines(kinds("list"), "\n")).toEqual({ value: [] });
    expect(parseJson("")).toEqual({ value: undefined });
    const faults = ['{"a":\n  }', '{"a": 1,\n "b" 2}', "[1, tru]", '{"a": 01}', '"\\x"', "[1] 2", "[".repeat(9)];
    expect(faults.map((f) => Object.values(parseJson(f)))).toEqual([
      [2, 3],
      [2, 6],
      [1, 5],
      [1, 8],
      [1, 1],
      [1, 5],
      [1, 10],
    ]);
    expect([humanize("maxFileBytes"), humanize("acp"), humanize("a-b_c"), humanize("XMLThing")]).toEqual([
      "Max file bytes",
      "Acp",
      "A b c",
      "XMLThing",
    ]);
  });

  it("OC-1 raw JSON takes any object, but nothing that has another field", () => {
    expect(readRaw("")).toEqual({ value: {} });
    expect(readRaw('{"sandbox":{"mode":"off"},"new":[1]}')).toEqual({ value: { sandbox: { mode: "off" }, new: [1] } });
    expect(readRaw("[]")).toBe("object");
    expect(readRaw("{")).toEqual({ line: 1, column: 2 });
    expect(readRaw('{"name":"x"}')).toEqual({ own: "name" });
    expect(readRaw('{"tools":{"exec":{},"deny":["x"]}}')).toEqual({ own: "tools.deny" });
    expect(readRaw('{"maxTokens":1}')).toEqual({ own: "maxTokens" });
  });
});
