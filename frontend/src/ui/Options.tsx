import { Popover } from "radix-ui";
import type { RefObject } from "react";
import { Badge } from "./Badge";
import { cx } from "./cx";

export type ComboOption = {
  value: string;
  /** What the value is, in small print. */ label?: string;
  group?: string;
  /** A word about its state. */ note?: string;
};

/** So many options are listed; the rest is found by typing. */
const most = 100;

/** The options that have the text in their value or label, and how many there are. */
export function matchingOptions(options: readonly ComboOption[], text: string) {
  const q = text.trim().toLowerCase();
  const all = options.filter((o) => !q || `${o.value} ${o.label ?? ""}`.toLowerCase().includes(q));
  return { found: all.slice(0, most), all: all.length };
}

type Props = {
  id: string;
  label: string;
  /** The field and what belongs to it: a press there doesn't close the list. */ box: RefObject<HTMLElement | null>;
  found: readonly ComboOption[];
  /** How many match; more than are found aren't listed. */ all: number;
  at: number;
  value?: string;
  plain?: boolean;
  /** Without it, nothing is shown for no match. */ emptyText?: string;
  moreText: (shown: number, all: number) => string;
  onTake: (o: ComboOption) => void;
  onAt: (i: number) => void;
};

/** The options below a field that keeps the focus. */
export function Options({ id, label, box, found, all, at, value, plain, emptyText, moreText, onTake, onAt }: Props) {
  return (
    <Popover.Portal>
      <Popover.Content
        id={id}
        role={found.length ? "listbox" : undefined}
        aria-label={label}
        tabIndex={0} // a long list can be scrolled without a pointer
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
              id={`${id}-${i}`}
              role="option"
              aria-selected={o.value === value}
              data-highlighted={i === at || undefined}
              className={cx("trow")}
              onMouseDown={(e) => {
                e.preventDefault();
                onTake(o);
              }}
              onMouseMove={(e) => {
                if (e.movementX || e.movementY) onAt(i); // not where the list opens below a resting pointer
              }}
            >
              <span className={cx("cut shrink-0 max-w-3/5", !plain && "mono")}>{o.value}</span>
              {o.note && <Badge tone="chg">{o.note}</Badge>}
              {o.label && (
                <span className="cap cut" title={o.label}>
                  {o.label}
                </span>
              )}
            </div>
          </div>
        ))}
        {found.length === 0 && emptyText && <p className="cap pad">{emptyText}</p>}
        {all > found.length && <p className="cap pad">{moreText(found.length, all)}</p>}
      </Popover.Content>
    </Popover.Portal>
  );
}
