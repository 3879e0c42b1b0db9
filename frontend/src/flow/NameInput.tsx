import { useState } from "react";
import { composing, isEnter, mod } from "../ui";
import { useFlowActions } from "./context";

type Props = {
  name: string;
  label?: string;
  className?: string;
  onName?: (name: string) => void;
  onEnd?: () => void;
  /** Goes on to the next thing to name, or back; without it Tab leaves the field as any. */
  onNext?: (back: boolean) => void;
};

/** A name written in place: Enter, Tab or leaving keeps it, Escape and an empty field do not; keys of an input method are its own. */
export function NameInput({ name, label, className, onName, onEnd, onNext }: Props) {
  const { ahead = "", undo } = useFlowActions();
  const [text, setText] = useState(ahead || name);
  const [had, setHad] = useState(ahead);
  if (ahead !== had) {
    setHad(ahead);
    setText(ahead || name);
  }
  const finish = (keep: boolean) => {
    const now = text.trim();
    if (keep && now && now !== name) onName?.(now);
    onEnd?.();
  };
  const untouched = text === name;
  return (
    <input
      className={`nodrag nopan ${className ?? ""}`}
      autoFocus
      value={text}
      aria-label={label ?? name}
      spellCheck={false}
      autoComplete="off"
      onChange={(e) => setText(e.target.value)}
      onBlur={() => finish(true)}
      onFocus={(e) => {
        if (ahead) e.target.setSelectionRange(text.length, text.length);
        else e.target.select();
      }}
      onKeyDown={(e) => {
        e.stopPropagation();
        if (composing(e)) return;
        if (isEnter(e)) finish(true);
        else if (e.key === "Escape") finish(false);
        else if (e.key === "Tab" && onNext) {
          e.preventDefault();
          finish(true);
          onNext(e.shiftKey);
        } else if (untouched && undo && mod(e) && e.key.toLowerCase() === "z") {
          e.preventDefault();
          finish(false);
          undo();
        } // nothing typed yet: undo on the canvas
      }}
    />
  );
}
