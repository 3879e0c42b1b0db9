import type { LucideIcon } from "lucide-react";
import { ContextMenu as X, DropdownMenu as D } from "radix-ui";
import type { ReactNode } from "react";
import { cx } from "./cx";
import { Kbd } from "./Kbd";

export type MenuItem =
  | { kind?: "item"; label: ReactNode; icon?: LucideIcon; lead?: ReactNode; keys?: string; hint?: string; danger?: boolean; disabled?: boolean; checked?: boolean; onSelect: () => void }
  | { kind: "separator" }
  | { kind: "label"; label: string };

type Parts = Pick<typeof D, "Item" | "Separator" | "Label">;

function Items({ items, parts: P }: { items: MenuItem[]; parts: Parts }) {
  return items.map((m, i) => {
    if (m.kind === "separator") return <P.Separator key={i} className="hr" />;
    if (m.kind === "label") return <P.Label key={i} className="label">{m.label}</P.Label>;
    const Icon = m.icon;
    return (
      <P.Item key={i} className={cx("trow", m.danger && "trow--danger")} disabled={m.disabled} onSelect={m.onSelect} aria-current={m.checked || undefined}>
        {m.lead ?? (Icon && <Icon size={16} aria-hidden />)}
        <span className="cut">{m.label}</span>
        {m.hint && <span className="cap ml-auto pl-4">{m.hint}</span>}
        {m.keys && <Kbd keys={m.keys} />}
      </P.Item>
    );
  });
}

/** A drop-down under its trigger (one button). */
export function Menu({ trigger, items, align = "start" }: { trigger: ReactNode; items: MenuItem[]; align?: "start" | "end" }) {
  return (
    <D.Root modal={false}>
      <D.Trigger asChild>{trigger}</D.Trigger>
      <D.Portal>
        <D.Content className="menu" align={align} sideOffset={4} collisionPadding={8}><Items items={items} parts={D} /></D.Content>
      </D.Portal>
    </D.Root>
  );
}

/** The same menu on a right click anywhere in its children. */
export function ContextMenu({ items, children }: { items: MenuItem[]; children: ReactNode }) {
  return (
    <X.Root modal={false}>
      <X.Trigger asChild>{children}</X.Trigger>
      <X.Portal><X.Content className="menu" collisionPadding={8}><Items items={items} parts={X} /></X.Content></X.Portal>
    </X.Root>
  );
}
