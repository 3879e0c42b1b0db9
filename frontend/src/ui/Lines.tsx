import { ChevronDown } from "lucide-react";
import { Popover } from "radix-ui";
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from "react";
import { composing } from "./ime";
import { Textarea, type DraftHandle, type TextareaProps } from "./Input";
import { mod } from "./keys";
import { matchingOptions, Options, type ComboOption } from "./Options";

/** What a list with one entry per line can have, and the words for it. */
export type LinesOffer = {
  options: readonly ComboOption[];
  openLabel: string;
  moreText: (shown: number, all: number) => string;
};

type Props = Omit<TextareaProps, "draft"> & {
  /** Absent: no suggestions. */ offer?: LinesOffer;
};

/** Where the line with the caret begins and ends. */
function lineAt(text: string, caret: number) {
  const from = text.lastIndexOf("\n", caret - 1) + 1,
    end = text.indexOf("\n", caret);
  return { from, to: end < 0 ? text.length : end };
}

/** Free text with one entry per line, and suggestions for the line with the caret: the list only helps. */
export function Lines({ offer, value, onText, disabled, ...rest }: Props) {
  const [line, setLine] = useState<{ from: number; to: number; whole?: boolean }>();
  const [at, setAt] = useState(-1);
  const list = useId();
  const box = useRef<HTMLDivElement>(null),
    field = useRef<DraftHandle>(null),
    caret = useRef<number>(undefined);
  const [text, setText] = useState(value);
  const typed = line ? text.slice(line.from, line.to) : "";
  const { found, all } = useMemo(() => {
    if (!line || !offer) return { found: [], all: 0 };
    const others = new Set(`${text.slice(0, line.from)}\n${text.slice(line.to)}`.split("\n").map((l) => l.trim()));
    const free = offer.options.filter((o) => !others.has(o.value));
    return matchingOptions(free, line.whole ? "" : text.slice(line.from, line.to));
  }, [offer, line, text]);
  const open = found.length > 0 && !disabled;
  useLayoutEffect(() => {
    const at = caret.current;
    if (at === undefined) return;
    caret.current = undefined;
    box.current?.querySelector("textarea")?.setSelectionRange(at, at);
  });
  useEffect(() => {
    if (open && at >= 0) document.getElementById(`${list}-${at}`)?.scrollIntoView({ block: "nearest" });
  }, [open, at, list]);

  const close = () => {
    setLine(undefined);
    setAt(-1);
  };
  const look = (el: HTMLTextAreaElement, whole?: boolean) => {
    setText(el.value);
    setLine({ ...lineAt(el.value, el.selectionStart), whole });
    setAt(-1);
  };
  const take = (o: ComboOption) => {
    if (!line) return;
    const rest = text.slice(line.to) || "\n", // the next entry can be typed at once
      next = text.slice(0, line.from) + o.value + rest;
    caret.current = line.from + o.value.length + 1;
    field.current?.show(next);
    onText(next);
    close();
  };
  const onKeyDown = (e: KeyboardEvent<HTMLTextAreaElement>) => {
    rest.onKeyDown?.(e);
    if (!offer) return;
    if (!mod(e)) e.stopPropagation(); // letters and arrows are the field's; chords are the page's
    if (composing(e)) return;
    const el = e.currentTarget;
    if (!open) {
      // On the last line the arrow moves the caret nowhere.
      const last = el.selectionStart === el.selectionEnd && lineAt(el.value, el.selectionEnd).to === el.value.length;
      if (e.key === "ArrowDown" && last && offer?.options.length) {
        e.preventDefault();
        look(el, true);
      }
    } else if (e.key === "ArrowDown" || e.key === "ArrowUp") {
      e.preventDefault();
      const step = e.key === "ArrowDown" ? 1 : -1;
      setAt((i) =>
        found.length ? (i < 0 && step < 0 ? found.length - 1 : (i + step + found.length) % found.length) : -1,
      );
    } else if (e.key === "Enter") {
      const o = found[at];
      if (o) {
        e.preventDefault();
        take(o);
      } else close(); // and a new line
    } else if (e.key === "Escape") {
      e.preventDefault();
      close();
    } else if (["ArrowLeft", "ArrowRight", "Home", "End", "PageUp", "PageDown"].includes(e.key)) close();
  };
  return (
    <Popover.Root open={open} onOpenChange={(on) => !on && close()}>
      <Popover.Anchor asChild>
        <div ref={box} className="relative">
          <Textarea
            {...rest}
            draft={field}
            value={value}
            disabled={disabled}
            aria-autocomplete={offer ? "list" : undefined}
            aria-haspopup={offer ? "listbox" : undefined}
            aria-controls={open ? list : undefined}
            aria-activedescendant={open && at >= 0 ? `${list}-${at}` : undefined}
            onKeyDown={onKeyDown}
            onText={(next) => {
              onText(next);
              const el = box.current?.querySelector("textarea");
              if (!offer || !el) return;
              const now = lineAt(next, el.selectionStart);
              if (next.slice(now.from, now.to).trim()) look(el);
              else close();
            }}
            onBlur={(e) => {
              close();
              rest.onBlur?.(e);
            }}
          />
          {!!offer?.options.length && (
            <button
              type="button"
              tabIndex={-1}
              aria-label={offer.openLabel}
              disabled={disabled}
              className="absolute right-1 top-1 grid h-5 w-5 place-items-center t2"
              onMouseDown={(e) => {
                e.preventDefault();
                const el = box.current?.querySelector("textarea");
                if (!el) return;
                el.focus();
                if (open) close();
                else look(el, true);
              }}
            >
              <ChevronDown size={14} />
            </button>
          )}
        </div>
      </Popover.Anchor>
      {offer && (
        <Options
          id={list}
          label={offer.openLabel}
          box={box}
          found={found}
          all={all}
          at={at}
          value={typed.trim()}
          moreText={offer.moreText}
          onTake={take}
          onAt={setAt}
        />
      )}
    </Popover.Root>
  );
}
