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
      <Message who={{ name: "Dev", initials: "De", color: 1 }} text={text} live={live} />
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

describe("APP-4 what is written in angle brackets", () => {
  const shown = (text: string) => /<div class="md">(.*?)<\/div>/s.exec(drawn(text, false))?.[1];

  it("stays in a line, and is never HTML", () => {
    expect(shown("Is Vec<T> or <b>bold</b> or a<b right?")).toBe(
      "<p>Is Vec&lt;T&gt; or &lt;b&gt;bold&lt;/b&gt; or a&lt;b right?</p>",
    );
    expect(shown("**Map<String, List<T>>** and <details> please")).toBe(
      "<p><strong>Map&lt;String, List&lt;T&gt;&gt;</strong> and &lt;details&gt; please</p>",
    );
    expect(shown("- Vec<T> it is")).toContain("<li>Vec&lt;T&gt; it is</li>");
  });

  it("stays whole as a block, with its lines", () => {
    expect(shown("Look:\n\n<ul>\n  <li id=x>one</li>\n</ul>\n\nDone")).toBe(
      '<p>Look:</p>\n<p class="md-plain">&lt;ul&gt;\n  &lt;li id=x&gt;one&lt;/li&gt;\n&lt;/ul&gt;</p>\n<p>Done</p>',
    );
    expect(shown("> <!-- note -->")).toContain('<p class="md-plain">&lt;!-- note --&gt;</p>');
    expect(shown("<script>\nalert(1)\n</script>")).toBe(
      '<p class="md-plain">&lt;script&gt;\nalert(1)\n&lt;/script&gt;</p>',
    );
  });
});
