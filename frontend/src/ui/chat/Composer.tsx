import { ArrowUp, AtSign } from "lucide-react";
import { useEffect, useId, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { Button, IconButton } from "../Button";
import { composing, isEnter } from "../ime";
import { Kbd } from "../Kbd";
import { useMedia } from "../useMedia";
import { fitting, mentionAt, type Mentionable } from "./mentions";
import { MentionMenu } from "./MentionMenu";

export type ComposerProps = {
  label: string;
  placeholder: string;
  /** What was begun before. */
  draft: string;
  onDraft: (text: string) => void;
  onSend: (text: string) => void;
  /** Who can be mentioned; nobody: no menu. */
  people?: readonly Mentionable[];
  disabled?: boolean;
  /** At the right of the tools: tokens and cost, or what keeps it from being sent. */
  end?: ReactNode;
  words: { send: string; sends: string; newLine: string; mention: string; mentions: string };
  autoFocus?: boolean;
  /** Characters that one message may have. */
  longest?: number;
  tooLong?: (over: number) => string;
};

const tallest = 240;

/** Where a message is written. Enter sends, Shift+Enter starts a line; a key of the input method is never taken for either. */
export function Composer({
  label,
  placeholder,
  draft,
  onDraft,
  onSend,
  people = [],
  disabled,
  end,
  words,
  autoFocus,
  longest = Infinity,
  tooLong,
}: ComposerProps) {
  const [text, setText] = useState(draft);
  const [asked, setAsked] = useState<{ from: number; query: string }>();
  const [active, setActive] = useState(0);
  const field = useRef<HTMLTextAreaElement>(null),
    caret = useRef<number>(undefined);
  const menuId = useId();
  const finger = useMedia("(pointer: coarse)");
  const found = asked ? fitting(people, asked.query) : [];
  const open = found.length > 0;
  const over = text.length - longest;
  const ready = text.trim() !== "" && over <= 0 && !disabled;

  useLayoutEffect(() => {
    const el = field.current;
    if (!el) return;
    el.style.height = "auto";
    el.style.height = `${Math.min(el.scrollHeight, tallest)}px`;
    // Before the next key: what is typed then goes where the caret belongs.
    if (caret.current !== undefined) {
      el.focus();
      el.setSelectionRange(caret.current, caret.current);
      caret.current = undefined;
    }
  }, [text]);
  useEffect(() => {
    const el = field.current;
    if (!autoFocus || finger || !el) return;
    el.focus();
    el.setSelectionRange(el.value.length, el.value.length);
  }, [autoFocus, finger]);

  const change = (next: string) => {
    setText(next);
    onDraft(next);
  };
  const lookFor = () => {
    const el = field.current;
    if (!el || !people.length) return;
    const at = el.selectionStart === el.selectionEnd ? mentionAt(el.value, el.selectionStart) : undefined;
    if (at?.from !== asked?.from || at?.query !== asked?.query) {
      setAsked(at);
      setActive(0);
    }
  };
  const put = (next: string, at: number) => {
    caret.current = at;
    change(next);
  };
  const choose = (m: Mentionable) => {
    const el = field.current;
    if (!el || !asked) return;
    const head = `${text.slice(0, asked.from)}@${m.name} `;
    setAsked(undefined);
    put(head + text.slice(el.selectionStart).replace(/^ /, ""), head.length);
  };
  const begin = () => {
    const at = field.current?.selectionStart ?? text.length;
    const before = text.slice(0, at),
      gap = /[A-Za-z0-9._-]$/.test(before) ? " @" : "@";
    put(before + gap + text.slice(at), at + gap.length);
    setAsked({ from: at + gap.length - 1, query: "" });
    setActive(0);
  };
  const send = () => {
    if (!ready) return;
    onSend(text);
    change("");
    setAsked(undefined);
    field.current?.focus();
  };
  const onKeyDown = (e: KeyboardEvent) => {
    if (composing(e)) return;
    if (open && (e.key === "ArrowDown" || e.key === "ArrowUp")) {
      e.preventDefault();
      setActive((active + (e.key === "ArrowDown" ? 1 : found.length - 1)) % found.length);
      return;
    }
    if (open && (e.key === "Enter" || e.key === "Tab") && !e.shiftKey) {
      e.preventDefault();
      const m = found[active];
      if (m) choose(m);
      return;
    }
    if (open && e.key === "Escape") {
      e.preventDefault();
      setAsked(undefined);
      return;
    }
    if (isEnter(e) && !e.shiftKey && !finger) {
      e.preventDefault();
      send();
    }
  };
  return (
    <div className="composer">
      {open && (
        <MentionMenu
          id={menuId}
          label={words.mentions}
          list={found}
          active={active}
          onHover={setActive}
          onChoose={choose}
        />
      )}
      <textarea
        ref={field}
        rows={1}
        value={text}
        placeholder={placeholder}
        aria-label={label}
        aria-autocomplete={people.length ? "list" : undefined}
        aria-controls={open ? menuId : undefined}
        aria-activedescendant={open ? `${menuId}-${active}` : undefined}
        aria-invalid={over > 0 || undefined}
        onChange={(e) => {
          change(e.target.value);
          lookFor();
        }}
        onSelect={lookFor}
        onBlur={() => setAsked(undefined)}
        onKeyDown={onKeyDown}
      />
      <footer role="presentation">
        {people.length > 0 && (
          <IconButton icon={AtSign} label={words.mention} onMouseDown={(e) => e.preventDefault()} onClick={begin} />
        )}
        <span className="grow" />
        {over > 0 ? (
          <span className="cap text-failed" role="alert">
            {tooLong?.(over)}
          </span>
        ) : (
          end
        )}
        {!finger && over <= 0 && !end && (
          <span className="cap keys row gap-1" aria-hidden>
            <Kbd keys="Enter" />
            {words.sends}
            <Kbd keys="Shift+Enter" />
            {words.newLine}
          </span>
        )}
        <Button
          className="send"
          tone="main"
          icon={ArrowUp}
          aria-label={words.send}
          disabled={!ready}
          onMouseDown={(e) => e.preventDefault()}
          onClick={send}
        />
      </footer>
    </div>
  );
}
