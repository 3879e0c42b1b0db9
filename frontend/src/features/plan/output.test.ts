import { createInstance } from "i18next";
import { expect, test } from "vitest";
import jaCause from "@/i18n/ja/cause.json";
import ja from "@/i18n/ja/plan.json";
import { outputText } from "./output";

test("lines of the output that aren't the worker's are in the person's language", async () => {
  const i18n = createInstance();
  await i18n.init({
    lng: "ja",
    interpolation: { escapeValue: false },
    resources: { ja: { translation: { plan: ja, cause: jaCause } } },
  });
  const said = (line: number, text: string, code: string, params?: Record<string, string>) => ({
    line,
    chars: Array.from(text).length,
    cause: { code, params },
  });
  const output = [
    "decision: 𠮷 first",
    "decision: the worker's own line",
    "test: exit code 127 (not found)",
    "sh: 1: x: not found",
    "merge: it wasn't approved",
    "new: 𠮷",
    "",
  ].join("\n");
  const own = [
    said(0, "decision: ", "decision"),
    said(2, "test: exit code 127 (not found)", "tested", { exit: "127" }),
    said(4, "merge: it wasn't approved", "not_merged", { branch: "b/<1>" }),
    said(5, "new: 𠮷", "a new code"),
    said(9, "x", "merged"),
  ];
  expect(outputText(i18n.t, { output, own }).split("\n")).toEqual([
    "プランナー：𠮷 first",
    "decision: the worker's own line",
    "テスト：終了コード127（コマンドなし）",
    "sh: 1: x: not found",
    "作業は完了しましたが、マージされていません。ブランチb/<1>にあります。",
    "new: 𠮷",
    "",
  ]);
  expect(outputText(i18n.t, {})).toBe("");
});
