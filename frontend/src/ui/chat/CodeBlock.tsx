import type { Element } from "hast";
import { memo, useEffect, useState, type ReactNode } from "react";
import { CopyText } from "./CopyText";
import { useChatWords } from "./words";

/** The language and the text of a <pre>. */
export function codeOf(pre: Element | undefined): { language: string; text: string } {
  const code = pre?.children.find((c) => c.type === "element");
  const names = code?.properties.className;
  const language = Array.isArray(names)
    ? names
        .map(String)
        .find((n) => n.startsWith("language-"))
        ?.slice("language-".length)
    : undefined;
  const first = code?.children[0];
  return { language: language ?? "", text: first?.type === "text" ? first.value.replace(/\n$/, "") : "" };
}

/** Code, colored once it is whole; the colors come after the text. */
export const CodeBlock = memo(function CodeBlock({
  language,
  text,
  live,
}: {
  language: string;
  text: string;
  live?: boolean;
}) {
  const words = useChatWords();
  const [colored, setColored] = useState<{ text: string; node: ReactNode }>();
  useEffect(() => {
    if (live || !language) return;
    let gone = false;
    void import("./highlight").then(
      (m) => {
        const node = m.highlight(language, text);
        if (!gone && node) setColored({ text, node });
      },
      () => undefined,
    );
    return () => {
      gone = true;
    };
  }, [language, text, live]);
  return (
    <div className="codeblock">
      <div className="codeblock-tools">
        {language && <span className="cap mono">{language}</span>}
        <CopyText text={text} label={words.copyCode} />
      </div>
      <pre tabIndex={0}>
        <code>{colored?.text === text ? colored.node : text}</code>
      </pre>
    </div>
  );
});
