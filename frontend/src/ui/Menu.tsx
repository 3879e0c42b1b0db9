import { Check, ChevronRight, type LucideIcon } from "lucide-react";
import { ContextMenu as X, DropdownMenu as D } from "radix-ui";
import { useRef, type ReactNode } from "react";
import { cx } from "./cx";
import { Kbd } from "./Kbd";

export type MenuItem =
  | {
    kind?: "item"; label: ReactNode; icon?: LucideIcon; lead?: ReactNode; keys?: string; hint?: string; danger?: boolean; disabled?: boolean; checked?: boolean; onSelect: () => void;
    /** It opens a field of its own: runs once the menu has gone, and the focus is not brought back. */
    takesFocus?: boolean;
  }
  /** A setting that is on or off, or one of several. */
  | { kind: "toggle"; label: ReactNode; lead?: ReactNode; keys?: string; checked: boolean; disabled?: boolean; onSelect: () => void }
  | { kind: "sub"; label: string; icon?: LucideIcon; disabled?: boolean; items: MenuItem[] }
  | { kind: "separator" }
  | { kind: "label"; label: string };

type Parts = Pick<typeof D, "Item" | "CheckboxItem" | "Separator" | "Label" | "Sub" | "SubTrigger" | "SubContent" | "Portal">;
type Later = (run: () => void) => void;

function Items({ items, parts: P, later }: { items: MenuItem[]; parts: Parts; later: Later }) {
  return items.map((m, i) => {
    if (m.kind === "separator") return <P.Separator key={i} className="hr" />;
    if (m.kind === "label") return <P.Label key={i} className="label">{m.label}</P.Label>;
    if (m.kind === "toggle") {
      return (
        <P.CheckboxItem key={i} className="trow" checked={m.checked} disabled={m.disabled} onSelect={m.onSelect}>
          {m.checked ? <Check size={16} aria-hidden /> : <span className="w-4 flex-none" />}{m.lead}<span className="cut">{m.label}</span>{m.keys && <Kbd keys={m.keys} />}
        </P.CheckboxItem>
      );
    }
    const Icon = m.icon;
    if (m.kind === "sub") {
      return (
        <P.Sub key={i}>
          <P.SubTrigger className="trow" disabled={m.disabled}>{Icon && <Icon size={16} aria-hidden />}<span className="cut grow">{m.label}</span><ChevronRight size={14} className="ml-4 flex-none" aria-hidden /></P.SubTrigger>
          <P.Portal><P.SubContent className="menu" sideOffset={6} alignOffset={-5} collisionPadding={8}><Items items={m.items} parts={P} later={later} /></P.SubContent></P.Portal>
        </P.Sub>
      );
    }
    return (
      <P.Item key={i} className={cx("trow", m.danger && "trow--danger")} disabled={m.disabled} onSelect={m.takesFocus ? () => later(m.onSelect) : m.onSelect} aria-current={m.checked || undefined}>
        {m.lead ?? (Icon && <Icon size={16} aria-hidden />)}
        <span className="cut">{m.label}</span>
        {m.hint && <span className="cap ml-auto pl-4">{m.hint}</span>}
        {m.keys && <Kbd keys={m.keys} />}
      </P.Item>
    );
  });
}

/** Keeps what an item wants to do until the menu has closed, and then leaves the focus to it. */
function useLater(): { later: Later; onCloseAutoFocus: (e: Event) => void } {
  const waiting = useRef<(() => void) | undefined>(undefined);
  return {
    later: (run) => { waiting.current = run; },
    onCloseAutoFocus: (e) => {
      const run = waiting.current;
      waiting.current = undefined;
      if (run) { e.preventDefault(); run(); }
    },
  };
}

/** A drop-down under its trigger (one button). */
export function Menu({ trigger, items, align = "start" }: { trigger: ReactNode; items: MenuItem[]; align?: "start" | "end" }) {
  const { later, onCloseAutoFocus } = useLater();
  return (
    <D.Root modal={false}>
      <D.Trigger asChild>{trigger}</D.Trigger>
      <D.Portal>
        <D.Content className="menu" align={align} sideOffset={4} collisionPadding={8} onCloseAutoFocus={onCloseAutoFocus}><Items items={items} parts={D} later={later} /></D.Content>
      </D.Portal>
    </D.Root>
  );
}

type Asked = (el: HTMLElement, at: { x: number; y: number }) => void;

/**
 * The same menu on a right click, the menu key, or a finger that stays, anywhere in its children. `onAsk` is told what
 * it is asked for before it opens.
 */
export function ContextMenu({ items, children, label, onAsk }: { items: MenuItem[]; children: ReactNode; label?: string; onAsk?: Asked }) {
  const { later, onCloseAutoFocus } = useLater();
  // A finger that stays opens it by a timer, which brings no event along.
  const finger = useRef<Parameters<Asked> | undefined>(undefined);
  const ask = (e: { target: EventTarget; clientX: number; clientY: number }): Parameters<Asked> => [e.target as HTMLElement, { x: e.clientX, y: e.clientY }];
  return (
    <X.Root modal={false} onOpenChange={(open) => { if (open && finger.current) onAsk?.(...finger.current); finger.current = undefined; }}>
      <X.Trigger asChild onContextMenu={(e) => { finger.current = undefined; onAsk?.(...ask(e)); }} onPointerDown={(e) => { finger.current = e.pointerType === "mouse" ? undefined : ask(e); }}>{children}</X.Trigger>
      <X.Portal><X.Content className="menu" aria-label={label} collisionPadding={8} onCloseAutoFocus={onCloseAutoFocus}><Items items={items} parts={X} later={later} /></X.Content></X.Portal>
    </X.Root>
  );
}
