import { readFileSync } from "node:fs";
import { createInstance, type TFunction } from "i18next";
import { beforeAll, describe, expect, it } from "vitest";
import enFirst from "@/i18n/en";
import enRest from "@/i18n/en-rest";
import jaFirst from "@/i18n/ja";
import jaRest from "@/i18n/ja-rest";
import type { RoomMessage } from "@/topology";
import { told } from "./told";

let en: TFunction, ja: TFunction;
const words = async (lng: string, ...parts: object[]) =>
  createInstance().init({
    lng,
    resources: { [lng]: { translation: Object.assign({}, ...parts) as object } },
    interpolation: { escapeValue: false },
  });
beforeAll(async () => {
  [en, ja] = await Promise.all([words("en", enFirst, enRest), words("ja", jaFirst, jaRest)]);
});

const system = (message: string, code?: string, params?: Record<string, string>): RoomMessage => ({
  id: 1,
  room: "r",
  sender: "Ann",
  message,
  timestamp: "2026-11-21T09:00:00Z",
  type: "system",
  cause: code ? { code, params } : undefined,
});

describe("CH-6 APP-4 what a system message tells", () => {
  it("is the same on the screen as in the hub's search and exports", () => {
    const cases = JSON.parse(
      readFileSync(new URL("../../../../backend/talk/systemmsg/testdata/tellings.json", import.meta.url), "utf8"),
    ) as { message: RoomMessage; en: object; ja: object }[];
    expect(cases.length).toBeGreaterThan(5);
    for (const { message, ...want } of cases)
      for (const [t, language] of [
        [en, "en"],
        [ja, "ja"],
      ] as const) {
        const { text, own } = told(t, message);
        expect({ text, own }).toEqual({ own: undefined, ...want[language] });
      }
  });
  it("is shown in the person's language", () => {
    const halted = system("The agents have had 1200 turns in a row.", "limit_turns", { n: "1200" });
    expect(told(ja, halted).text).toBe("エージェントの発言が1,200回続いたため、停止しました。");
    expect(told(en, halted).text).toContain("1,200 turns");
    for (const code of ["limit_tokens", "turn_silent", "answer_cut_off"])
      expect(told(ja, system("English", code, { n: "5", agent: "開発" })).text).toMatch(
        /^[^a-z]*(max_tokens)?[^a-z]*$/,
      );
  });
  it("says why an agent could not answer, with what had come of it and the hub's own words", () => {
    const text = "Ann could not answer: the stream ended in the middle. This had come of its answer:\n\n半分の𠮷";
    expect(told(ja, system(text, "unanswered", { agent: "Ann", why: "no_answer", own: "4" }))).toEqual({
      text: "Annは回答できませんでした。モデルのプロバイダーから、完全な回答が返りませんでした。\n\n途中までの回答：\n\n半分の𠮷",
      own: "Ann could not answer: the stream ended in the middle.",
    });
    const odd = system("Ann could not answer: strange", "unanswered", { agent: "Ann", why: "never_heard_of" });
    expect(told(ja, odd)).toEqual({ text: "Annは回答できませんでした。", own: odd.message });
  });
  it("says that a command failed, with its exit code", () => {
    const ran = (end: string) => {
      const result = `\`\`\`\n${end}\n\`\`\``;
      return told(
        en,
        system(`Ann used shell_exec {}\n\n${result}`, "tool_used", {
          agent: "Ann",
          tool: "shell_exec",
          arguments: "{}",
          own: String(result.length),
        }),
      ).tool;
    };
    expect(ran("exit code 1\nstderr:\nno")).toMatchObject({ failed: true, why: "Exit code 1" });
    expect(ran("exit code 0\nstdout:\nyes")).toMatchObject({ failed: false, why: undefined });
  });
  it("names the tool as it is, and leaves its result alone", () => {
    const result = "```\n# 鯖\n```",
      m = system(`Ann used file_read {"path":"*a*"}\n\n${result}`, "tool_used", {
        agent: "Ann",
        tool: "file_read",
        arguments: '{"path":"*a*"}',
        own: String(result.length),
      });
    expect(told(ja, m)).toEqual({
      text: `Annがツールを使いました：\`file_read {"path":"*a*"}\`\n\n${result}`,
      tool: { name: "file_read", input: '{"path":"*a*"}', output: "# 鯖", failed: false },
    });
    const refused = system("Ann could not use x {}\n\n````\n```\n````", "tool_failed", {
      agent: "Ann",
      tool: "x",
      arguments: "{}",
      own: "13",
    });
    expect(told(en, refused).tool).toEqual({ name: "x", input: "{}", output: "```", failed: true });
  });
  it("is shown as it is stored where there are no words for it", () => {
    for (const m of [
      system("Ann could not answer: x"),
      system("Something new.", "new_thing", { n: "1" }),
      { ...system("Hello", "limit_turns"), type: "chat" as const },
    ])
      expect(told(ja, m)).toEqual({ text: m.message });
  });
});
