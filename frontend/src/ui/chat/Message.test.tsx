import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { Message } from "./Message";
import { ChatWordsProvider, type ChatWords } from "./words";

const words: ChatWords = {
  copy: "Copy",
  copied: "Copied",
  copyCode: "Copy code",
  opensOutside: "Opens outside",
  jump: "Jump",
  older: "Older",
  picture: (alt) => alt,
  showAll: (n) => `Show all ${n}`,
  jumpNew: String,
  time: String,
  moment: String,
  tool: { input: "Input", output: "Output", ok: "Done", failed: "Failed" },
};
const paragraph = (n: number) => `paragraph ${n} ${"word ".repeat(18)}`;
const long = Array.from({ length: 180 }, (_, i) => paragraph(i)).join("\n\n");

const drawn = (text: string, live: boolean) =>
  renderToStaticMarkup(
    <ChatWordsProvider value={words}>
      <Message who={{ name: "Dev", initials: "De", colour: 1 }} text={text} live={live} />
    </ChatWordsProvider>,
  );

describe("a very long answer", () => {
  it("GW-9 APP-4 stays whole while it streams past 16,000 characters", () => {
    for (const length of [16_001, long.length]) {
      const text = long.slice(0, length),
        html = drawn(text, true);
      expect(html).not.toContain("Show all");
      expect(html).toContain(text.slice(-40).trim().split("\n").at(-1));
    }
  });

  it("APP-4 is cut once it has ended, and offers the rest", () => {
    const html = drawn(long, false);
    expect(html).toContain(`Show all ${long.length}`);
    expect(html).not.toContain("paragraph 179");
    expect(drawn(long.slice(0, 16_000), false)).not.toContain("Show all");
  });
});
