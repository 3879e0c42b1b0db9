import { Check, ChevronRight, type LucideIcon } from "lucide-react";
import { DropdownMenu as D } from "radix-ui";
import { useRef, useState, type ReactNode } from "react";
import { announce } from "./Announcer";
import type { MenuPlace } from "./ContextMenu";
import { cx } from "./cx";
import { Kbd } from "./Kbd";
import { leaveModEnter } from "./keys";

export type MenuItem =
  | {
      kind?: "item";
      label: ReactNode;
      icon?: LucideIcon;
      lead?: ReactNode;
      keys?: string;
      hint?: string;
      danger?: boolean;
      disabled?: boolean;
      /** Why it can't be chosen now: keys reach it, and choosing it says this and leaves the menu open. */
      refused?: string;
      checked?: boolean;
      onSelect: () => void;
      /** The item opens a field: it runs after the menu has closed, and the focus doesn't return. */
      takesFocus?: boolean;
    }
  /** A setting that is on or off, or one of several. */
  | {
      kind: "toggle";
      label: ReactNode;
      lead?: ReactNode;
      keys?: string;
      checked: boolean;
      disabled?: boolean;
      onSelect: () => void;
    }
  | { kind: "sub"; label: string; icon?: LucideIcon; disabled?: boolean; items: MenuItem[] }
  | { kind: "separator" }
  | { kind: "label"; label: string };

/** A label that may not fit has its text in a title, too. What stands beside it leaves it its place. */
const Label = ({ children, beside }: { children: ReactNode; beside?: string }) => (
  <span
    className={cx("cut", beside && "max-w-3/5 shrink-0")}
    title={typeof children === "string" && children.length > 20 ? children : undefined}
  >
    {children}
  </span>
);

type Later = (run: () => void) => void;

function Items({ items, later }: { items: MenuItem[] | (() => MenuItem[]); later: Later }) {
  const [refused, setRefused] = useState("");
  const refuse = (e: Event, why: string) => {
    e.preventDefault();
    setRefused(why);
    announce(why);
  };
  const drawn = (typeof items === "function" ? items() : items).map((m, i) => {
    if (m.kind === "separator") return <D.Separator key={i} className="hr" />;
    if (m.kind === "label")
      return (
        <D.Label key={i} className="label">
          {m.label}
        </D.Label>
      );
    if (m.kind === "toggle") {
      return (
        <D.CheckboxItem key={i} className="trow" checked={m.checked} disabled={m.disabled} onSelect={m.onSelect}>
          {m.checked ? <Check size={16} aria-hidden /> : <span className="w-4 flex-none" />}
          {m.lead}
          <Label>{m.label}</Label>
          {m.keys && <Kbd keys={m.keys} />}
        </D.CheckboxItem>
      );
    }
    const Icon = m.icon;
    if (m.kind === "sub") {
      return (
        <D.Sub key={i}>
          <D.SubTrigger className="trow" disabled={m.disabled}>
            {Icon && <Icon size={16} aria-hidden />}
            <span className="cut grow">{m.label}</span>
            <ChevronRight size={14} className="ml-4 flex-none" aria-hidden />
          </D.SubTrigger>
          <D.Portal>
            <D.SubContent className="menu" sideOffset={6} alignOffset={-5} collisionPadding={8}>
              <Items items={m.items} later={later} />
            </D.SubContent>
          </D.Portal>
        </D.Sub>
      );
    }
    return (
      <D.Item
        key={i}
        className={cx("trow", m.danger && "trow--danger")}
        disabled={m.disabled}
        textValue={typeof m.label === "string" ? m.label : undefined}
        aria-disabled={m.disabled || !!m.refused || undefined}
        onSelect={(e) => {
          if (m.refused) refuse(e, m.refused);
          else if (m.takesFocus) later(m.onSelect);
          else m.onSelect();
        }}
        aria-current={m.checked || undefined}
      >
        {m.lead ?? (Icon && <Icon size={16} aria-hidden />)}
        <Label beside={m.hint}>{m.label}</Label>
        {m.hint && (
          <span className="cap cut ml-auto pl-4" title={m.hint}>
            {m.hint}
          </span>
        )}
        {m.keys && <Kbd keys={m.keys} />}
      </D.Item>
    );
  });
  return (
    <>
      {drawn}
      {refused && <div className="menu-why">{refused}</div>}
    </>
  );
}

/** Keeps what an item wants to do until the menu has closed, and then leaves the focus to it. */
function useLater(): { later: Later; onCloseAutoFocus: (e: Event) => void } {
  const waiting = useRef<(() => void) | undefined>(undefined);
  return {
    later: (run) => {
      waiting.current = run;
    },
    onCloseAutoFocus: (e) => {
      const run = waiting.current;
      waiting.current = undefined;
      if (run) {
        e.preventDefault();
        run();
      }
    },
  };
}

/** A drop-down under its trigger (one button). Items that take long to find are given as a function, which is called while it is open. */
export function Menu({
  trigger,
  items,
  align = "start",
}: {
  trigger: ReactNode;
  items: MenuItem[] | (() => MenuItem[]);
  align?: "start" | "end";
}) {
  const { later, onCloseAutoFocus } = useLater();
  return (
    <D.Root modal={false}>
      <D.Trigger asChild onKeyDown={leaveModEnter}>
        {trigger}
      </D.Trigger>
      <D.Portal>
        <D.Content
          className="menu"
          align={align}
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={onCloseAutoFocus}
        >
          <Items items={items} later={later} />
        </D.Content>
      </D.Portal>
    </D.Root>
  );
}

/**
 * The same menu at a point of the screen, for a ContextMenu. The focus goes back to where it was, unless the person has
 * clicked elsewhere.
 */
export function MenuAt({ at, onClose, items, label }: MenuPlace & { items: MenuItem[]; label?: string }) {
  const { later, onCloseAutoFocus } = useLater();
  const [before] = useState(() => document.activeElement);
  const elsewhere = useRef(false);
  return (
    <D.Root
      open
      modal={false}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <D.Trigger asChild>
        <span className="invisible fixed" style={{ left: at.x, top: at.y }} />
      </D.Trigger>
      <D.Portal>
        <D.Content
          className="menu"
          side="right"
          align="start"
          sideOffset={2}
          collisionPadding={8}
          aria-label={label}
          aria-labelledby={undefined}
          onInteractOutside={() => {
            elsewhere.current = true;
          }}
          onCloseAutoFocus={(e) => {
            onCloseAutoFocus(e);
            if (e.defaultPrevented) return;
            e.preventDefault();
            if (!elsewhere.current && before instanceof HTMLElement && before.isConnected)
              before.focus({ preventScroll: true });
          }}
        >
          <Items items={items} later={later} />
        </D.Content>
      </D.Portal>
    </D.Root>
  );
}
