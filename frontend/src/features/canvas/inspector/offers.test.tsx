// @vitest-environment happy-dom
import { createInstance, type TFunction } from "i18next";
import { act, useState } from "react";
import { createRoot } from "react-dom/client";
import { I18nextProvider, initReactI18next } from "react-i18next";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import inspector from "@/i18n/en/inspector.json";
import type { AgentTools } from "@/topology";
import { Lines } from "@/ui";
import { doubt, useOffer, type Named } from "./offers";

// As OpenClaw 2026.9.6 answers, with fewer rows.
const known: AgentTools = {
  catalog: {
    profiles: ["minimal", "coding"],
    tools: [
      { name: "read", description: "Read file contents", group: "Files" },
      { name: "write", description: "Create or overwrite files", group: "Files" },
      { name: "exec", description: "Run shell now.", group: "Runtime" },
      { name: "talk_voice", description: "Change the voice", group: "talk-voice", plugin: "talk-voice" },
    ],
  },
  skills: {
    skills: [
      { name: "weather", description: "Get the weather.", ready: true, missing: [] },
      { name: "1password", description: "Use 1Password CLI.", ready: false, missing: ["op"] },
      { name: "notes", ready: false, disabled: true, missing: [] },
    ],
  },
};

const i18n = createInstance();
let t: TFunction;
beforeAll(async () => {
  (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
  Element.prototype.scrollIntoView = () => undefined;
  t = await i18n.use(initReactI18next).init({
    lng: "en",
    resources: { en: { translation: { inspector, common: { someOf: "{{n}} of {{all}}" } } } },
    interpolation: { escapeValue: false },
  });
});
let shut: (() => void) | undefined;
afterEach(() => shut?.());

function Field({ kind, of, start }: { kind: Named; of: AgentTools; start: string }) {
  const [value, setValue] = useState(start);
  return <Lines aria-label="list" value={value} onText={setValue} offer={useOffer(kind, of)} />;
}

/** A list that can have names of the kind. */
function show(kind: Named, of: AgentTools, start = "") {
  const box = document.body.appendChild(document.createElement("div")),
    root = createRoot(box);
  const draw = (of: AgentTools) =>
    act(() => {
      root.render(
        <I18nextProvider i18n={i18n}>
          <Field kind={kind} of={of} start={start} />
        </I18nextProvider>,
      );
    });
  draw(of);
  shut = () => {
    act(() => root.unmount());
    box.remove();
    shut = undefined;
  };
  const field = box.querySelector("textarea");
  if (!field) throw new Error("there is no field");
  act(() => {
    field.focus();
    field.setSelectionRange(start.length, start.length);
  });
  const press = (key: string) => {
    let prevented = false;
    act(() => {
      prevented = !field.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
    });
    return prevented;
  };
  const type = (text: string) =>
    act(() => {
      Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")?.set?.call(field, text);
      field.setSelectionRange(text.length, text.length);
      field.dispatchEvent(new Event("input", { bubbles: true }));
    });
  return { box, field, press, type, draw };
}
const listed = () => [...document.querySelectorAll("[role=option]")].map((o) => o.textContent);
const marked = () => document.querySelector("[role=option][data-highlighted]")?.textContent;

describe("OC-1: names that the gateway knows", () => {
  it("are offered for the line with the caret, and chosen with the keyboard", () => {
    const { field, press, type } = show("tools", known);
    expect(listed()).toEqual([]);
    expect(press("ArrowDown")).toBe(true);
    expect(listed()).toEqual([
      "readRead file contents",
      "writeCreate or overwrite files",
      "execRun shell now.",
      "talk_voiceChange the voice",
    ]);
    press("ArrowDown");
    press("ArrowDown");
    expect(marked()).toBe("writeCreate or overwrite files");
    expect(field.getAttribute("aria-activedescendant")).toBe(document.querySelector("[data-highlighted]")?.id);
    expect(press("Enter")).toBe(true);
    expect(field.value).toBe("write\n");
    expect(listed()).toEqual([]);
    type("write\nex");
    expect(listed()).toEqual(["execRun shell now."]);
    press("ArrowUp");
    press("Enter");
    expect(field.value).toBe("write\nexec\n");
    press("ArrowDown");
    expect(listed()).toHaveLength(2); // what the list has is offered no more
  });

  it("leave the field a field: Enter without a choice is a new line, and Escape closes the list", () => {
    const { field, press, type } = show("tools", known);
    type("read");
    expect(listed()).toEqual(["readRead file contents"]);
    expect(press("Enter")).toBe(false);
    expect(listed()).toEqual([]);
    type("re");
    expect(press("Escape")).toBe(true);
    expect(listed()).toEqual([]);
    expect(field.value).toBe("re");
    type("");
    expect(listed()).toEqual([]);
  });

  it("change the line in the middle only", () => {
    const { field, press } = show("tools", known, "read\n\nexec");
    act(() => field.setSelectionRange(5, 5));
    expect(press("ArrowDown")).toBe(false); // the caret moves
    act(() => {
      field.setSelectionRange(5, 5);
      document
        .querySelector(`button[aria-label="${inspector.showTools}"]`)
        ?.dispatchEvent(new MouseEvent("mousedown", { bubbles: true, cancelable: true }));
    });
    expect(listed()).toEqual(["writeCreate or overwrite files", "talk_voiceChange the voice"]);
    press("ArrowDown");
    press("Enter");
    expect(field.value).toBe("read\nwrite\nexec");
  });

  it("of skills say what the gateway lacks for them", () => {
    const { press } = show("skills", known);
    press("ArrowDown");
    expect(listed()).toEqual([
      "weatherGet the weather.",
      "1passwordNot readymissing op · Use 1Password CLI.",
      "notesNot readydisabled in the gateway's config",
    ]);
  });

  it("without names from the gateway there are no suggestions and no warnings", () => {
    for (const of of [{}, { catalog: { profiles: [], tools: [] } }] satisfies AgentTools[]) {
      const { box, field, press, type } = show("tools", of);
      expect(press("ArrowDown")).toBe(false);
      type("anything");
      expect(listed()).toEqual([]);
      expect(box.querySelector("button")).toBeNull();
      expect(field.value).toBe("anything");
      shut?.();
    }
    expect(doubt(t, "tools", {}, ["anything"])).toBeUndefined();
    expect(doubt(t, "skills", {}, ["anything"])).toBeUndefined();
  });

  it("arrive later without taking the focus or the text", () => {
    const { field, type, draw } = show("tools", {});
    type("ex");
    draw(known);
    expect(document.activeElement).toBe(field);
    expect(field.value).toBe("ex");
    type("exe");
    expect(listed()).toEqual(["execRun shell now."]);
  });
});

describe("OC-1: names that the gateway doesn't know", () => {
  it("are doubted, but no pattern, group, plugin, MCP tool or other spelling", () => {
    const fine = [
      "read",
      "EXEC",
      "group:fs",
      "*",
      "web_*",
      "talk-voice",
      "github__search",
      "bundle-mcp",
      "bash",
      " ",
      "",
    ];
    expect(doubt(t, "tools", known, fine)).toBeUndefined();
    expect(doubt(t, "tools", known, ["read", "raed"])).toBe("The gateway lists no tool named raed. Check the name.");
    expect(doubt(t, "tools", known, ["raed", "exce"])).toBe(
      "The gateway lists no tools named raed and exce. Check the names.",
    );
  });

  it("aren't doubted while the list isn't complete", () => {
    const partial: AgentTools = {
      catalog: { profiles: [], tools: known.catalog?.tools ?? [], partial: true },
      skills: { skills: known.skills?.skills ?? [], partial: true },
    };
    expect(doubt(t, "tools", partial, ["raed"])).toBeUndefined();
    expect(doubt(t, "skills", partial, ["raed"])).toBeUndefined();
  });

  it("of skills differ from those that aren't ready", () => {
    expect(doubt(t, "skills", known, ["weather"])).toBeUndefined();
    expect(doubt(t, "skills", known, ["weather", "wether", "1password", "notes"])).toBe(
      "The gateway has no skill named wether. Check the name. " +
        "1password isn't ready on the gateway: missing op. " +
        "notes isn't ready on the gateway: disabled in the gateway's config.",
    );
  });
});
