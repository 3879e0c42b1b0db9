import { useMemo, type ReactNode } from "react";

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\b(?:true|false|null)\b/g;
const most = 200_000;

/** JSON, laid out and colored. */
export function JsonText({ value }: { value: unknown }) {
  const parts = useMemo(() => {
    const text = JSON.stringify(value, null, 2);
    if (text.length > most) return text;
    const out: ReactNode[] = [];
    let at = 0;
    for (const m of text.matchAll(token)) {
      if (m.index > at) out.push(text.slice(at, m.index));
      out.push(
        <span key={m.index} className={m[2] ? "key" : m[1] ? "str" : "num"}>
          {m[1] ?? m[0]}
        </span>,
      );
      if (m[2]) out.push(m[2]);
      at = m.index + m[0].length;
    }
    out.push(text.slice(at));
    return out;
  }, [value]);
  return (
    <pre className="task-json" tabIndex={0}>
      {parts}
    </pre>
  );
}
