import { ChevronDown, type LucideIcon } from "lucide-react";
import { Popover } from "radix-ui";
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from "react";
import { composing } from "./ime";
import { Input, type DraftHandle } from "./Input";
import { mod } from "./keys";
import { matchingOptions, Options, type ComboOption } from "./Options";

export type ComboboxProps = {
  value: string;
  options: ComboOption[];
  onText: (value: string) => void;
  id?: string;
  icon?: LucideIcon;
  placeholder?: string;
  emptyText: string;
  /** The list is shown: what it offers may be read again. */
  onOpen?: () => void;
  openLabel: string;
  /** Says that only so many of the matching ones are listed. */
  moreText: (shown: number, all: number) => string;
  invalid?: boolean;
  warn?: boolean;
  changed?: boolean;
  /** Its values are words of people, not ids. */
  plain?: boolean;
  /** Only what is listed counts: Enter takes the first that matches, and what matches nothing doesn't stay. */
  picks?: boolean;
  disabled?: boolean;
  "aria-describedby"?: string;
};

/** Free text with suggestions: what is typed counts, the list only helps. */
export function Combobox({
  value,
  options,
  onText,
  onOpen,
  emptyText,
  openLabel,
  moreText,
  plain,
  picks,
  disabled,
  ...rest
}: ComboboxProps) {
  const [open, setOpen] = useState(false);
  const [whole, setWhole] = useState(false);
  const [at, setAt] = useState(-1);
  const list = useId();
  const box = useRef<HTMLDivElement>(null),
    field = useRef<DraftHandle>(null);
  const { found, all } = useMemo(() => matchingOptions(options, whole ? "" : value), [options, value, whole]);
  const show = (on: boolean) => {
    if (on && !open) onOpen?.();
    setOpen(on);
  };
  useEffect(() => {
    if (open && at >= 0) document.getElementById(`${list}-${at}`)?.scrollIntoView({ block: "nearest" });
  }, [open, at, list]);

  const take = (o: ComboOption) => {
    onText(o.value);
    field.current?.show(o.value);
    setOpen(false);
    setAt(-1);
  };
  const onKeyDown = (e: KeyboardEvent) => {
    if (!mod(e)) e.stopPropagation(); // letters and arrows are the field's; chords are the page's
    if (composing(e)) return;
    if (e.key === "ArrowDown" || e.key === "ArrowUp") {
      e.preventDefault();
      if (!open) {
        setWhole(true);
        show(true);
        return;
      }
      const step = e.key === "ArrowDown" ? 1 : -1;
      setAt((i) => (found.length ? (i + step + found.length) % found.length : -1));
    } else if (e.key === "Enter" && open) {
      e.preventDefault();
      const o = found[at] ?? (picks && value ? found[0] : undefined);
      if (o) take(o);
      else setOpen(false);
    } else if (e.key === "Escape" && open) {
      e.preventDefault();
      setOpen(false);
    }
  };
  return (
    <Popover.Root open={open && !disabled} onOpenChange={setOpen}>
      <Popover.Anchor asChild>
        <div ref={box}>
          <Input
            {...rest}
            draft={field}
            value={value}
            mono={!plain}
            disabled={disabled}
            role="combobox"
            aria-expanded={open}
            aria-controls={list}
            aria-autocomplete="list"
            aria-activedescendant={at >= 0 ? `${list}-${at}` : undefined}
            onKeyDown={onKeyDown}
            onMouseDown={(e) => {
              if (document.activeElement === e.currentTarget || e.button !== 0) return;
              e.preventDefault(); // the caret would take the place of the selection
              e.currentTarget.focus();
              e.currentTarget.select(); // what is typed replaces the value
            }}
            onText={(t) => {
              onText(t);
              setWhole(false);
              show(true);
              setAt(-1);
            }}
            onBlur={() => {
              setOpen(false);
              if (!picks || !value) return;
              onText("");
              field.current?.show("");
            }}
            after={
              <button
                type="button"
                tabIndex={-1}
                aria-label={openLabel}
                disabled={disabled}
                className="grid h-full place-items-center t2"
                onMouseDown={(e) => {
                  e.preventDefault();
                  setWhole(true);
                  show(!open);
                  box.current?.querySelector("input")?.focus();
                }}
              >
                <ChevronDown size={14} />
              </button>
            }
          />
        </div>
      </Popover.Anchor>
      <Options
        id={list}
        label={openLabel}
        box={box}
        found={found}
        all={all}
        at={at}
        value={value}
        plain={plain}
        emptyText={emptyText}
        moreText={moreText}
        onTake={take}
        onAt={setAt}
      />
    </Popover.Root>
  );
}
