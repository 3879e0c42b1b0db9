import { describe, expect, it } from "vitest";
import { marked, plainText } from "./plain";

describe("APP-4 a hint at what a message says", () => {
  it("has no signs of Markdown, and keeps what only looks like them", () => {
    expect(
      plainText(
        "## 規則\n\n**「端数処理」**は [手引き](https://a.example) の *税*\n```go\nall := round(88.32)\n```\n> `file_read` 2 * 3 * 4 snake_case_name",
      ),
    ).toBe("規則 「端数処理」は 手引き の 税 all := round(88.32) file_read 2 * 3 * 4 snake_case_name");
    expect(plainText("_all_ *this* __is__ ~~gone~~ ![a picture](x.png)")).toBe("all this is gone a picture");
  });
  it("shows the words that were looked for, whatever their case and signs", () => {
    expect(marked("Save (it) now, SAVE it", "save (it)")).toEqual([
      { text: "Save", hit: true },
      { text: " ", hit: false },
      { text: "(it)", hit: true },
      { text: " now, ", hit: false },
      { text: "SAVE", hit: true },
      { text: " it", hit: false },
    ]);
    expect(marked("nothing of it", "x")).toEqual([{ text: "nothing of it", hit: false }]);
  });
  it("begins a little before the first of them, at a whole character", () => {
    const [head, hit] = marked(`${"𠮷".repeat(50)}針`, "針");
    expect(head!.text).toBe(`…${"𠮷".repeat(40)}`);
    expect(hit).toEqual({ text: "針", hit: true });
    expect(
      marked("あ".repeat(500), "い")
        .map((p) => p.text)
        .join(""),
    ).toHaveLength(200);
  });
});
