import { useState } from "react";
import { composing, isEnter } from "../ui";

/** A name written in place: Enter or leaving keeps it, Escape does not; keys of an input method are its own. */
export function NameInput({ name, label, className, onName, onEnd }: { name: string; label?: string; className?: string; onName?: (name: string) => void; onEnd?: () => void }) {
  const [text, setText] = useState(name);
  const finish = (keep: boolean) => { if (keep && text.trim() !== name) onName?.(text.trim()); onEnd?.(); };
  return (
    <input className={`nodrag nopan ${className ?? ""}`} autoFocus value={text} aria-label={label ?? name} spellCheck={false} autoComplete="off" onFocus={(e) => e.target.select()} onChange={(e) => setText(e.target.value)} onBlur={() => finish(true)}
      onKeyDown={(e) => { e.stopPropagation(); if (isEnter(e)) finish(true); else if (e.key === "Escape" && !composing(e)) finish(false); }} />
  );
}
