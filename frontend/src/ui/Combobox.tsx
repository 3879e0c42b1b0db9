import { ChevronDown, type LucideIcon } from "lucide-react";
import { Popover } from "radix-ui";
import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from "react";
import { cx } from "./cx";
import { composing } from "./ime";
import { Input, type DraftHandle } from "./Input";
import { mod } from "./keys";

export type ComboOption = { value: string; label?: string; group?: string };
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
  disabled?: boolean;
  "aria-describedby"?: string;
};

/** So many options are listed; the rest is found by typing. */
const most = 100;

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
  disabled,
  ...rest
}: ComboboxProps) {
  const [open, setOpen] = useState(false);
  const [all, setAll] = useState(false);
  const [at, setAt] = useState(-1);
  const list = useId();
  const box = useRef<HTMLDivElement>(null),
    field = useRef<DraftHandle>(null);
  const matching = useMemo(() => {
    const q = all ? "" : value.trim().toLowerCase();
    return options.filter((o) => !q || `${o.value} ${o.label ?? ""}`.toLowerCase().includes(q));
  }, [options, value, all]);
  const found = matching.slice(0, most);
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
        setAll(true);
        show(true);
        return;
      }
      const step = e.key === "ArrowDown" ? 1 : -1;
      setAt((i) => (found.length ? (i + step + found.length) % found.length : -1));
    } else if (e.key === "Enter" && open) {
      e.preventDefault();
      const o = found[at];
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
            onText={(t) => {
              onText(t);
              setAll(false);
              show(true);
              setAt(-1);
            }}
            onBlur={() => setOpen(false)}
            after={
              <button
                type="button"
                tabIndex={-1}
                aria-label={openLabel}
                disabled={disabled}
                className="grid h-full place-items-center t2"
                onMouseDown={(e) => {
                  e.preventDefault();
                  setAll(true);
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
      <Popover.Portal>
        <Popover.Content
          id={list}
          role="listbox"
          className="menu"
          align="start"
          sideOffset={4}
          style={{ width: "var(--radix-popover-trigger-width)" }}
          onOpenAutoFocus={(e) => e.preventDefault()}
          onCloseAutoFocus={(e) => e.preventDefault()}
          onInteractOutside={(e) => {
            if (box.current?.contains(e.target as Node)) e.preventDefault();
          }}
        >
          {found.map((o, i) => (
            <div key={o.value}>
              {o.group && o.group !== found[i - 1]?.group && <div className="label">{o.group}</div>}
              <div
                id={`${list}-${i}`}
                role="option"
                aria-selected={o.value === value}
                data-highlighted={i === at || undefined}
                className={cx("trow")}
                onMouseDown={(e) => {
                  e.preventDefault();
                  take(o);
                }}
                onMouseEnter={() => setAt(i)}
              >
                <span className={cx("cut", !plain && "mono")}>{o.value}</span>
                {o.label && <span className="cap cut">{o.label}</span>}
              </div>
            </div>
          ))}
          {found.length === 0 && <p className="cap pad">{emptyText}</p>}
          {matching.length > found.length && <p className="cap pad">{moreText(found.length, matching.length)}</p>}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
