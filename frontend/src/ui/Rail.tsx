import type { LucideIcon } from "lucide-react";
import { Count } from "./Badge";
import { tip } from "./Tooltip";

export type RailItem = {
  id: string;
  label: string;
  icon: LucideIcon;
  count?: number;
  need?: boolean;
  foot?: boolean;
  disabled?: boolean;
  /** Something is held over it, and may be dropped there. */ drop?: boolean;
};
type Props = { label: string; items: RailItem[]; current: string; onGo: (id: string) => void };

/** The screens, top to bottom; those with `foot` stand at the bottom. */
export function Rail({ label, items, current, onGo }: Props) {
  const entry = (it: RailItem) => (
    <button
      key={it.id}
      type="button"
      className="rail-item"
      data-screen={it.id}
      data-drop={it.drop || undefined}
      {...tip(it.label, undefined, "right")}
      aria-current={it.id === current ? "page" : undefined}
      onClick={() => onGo(it.id)}
    >
      <it.icon size={18} aria-hidden />
      <span className="sr-only">{it.label} </span>
      {!!it.count && <Count n={it.count} need={it.need} />}
    </button>
  );
  return (
    <nav className="rail" aria-label={label}>
      {items.filter((i) => !i.foot).map(entry)}
      <span className="grow" />
      {items.filter((i) => i.foot).map(entry)}
    </nav>
  );
}

/** The same screens on a phone. */
export function TabBar({ label, items, current, onGo }: Props) {
  return (
    <nav className="tabbar" aria-label={label}>
      {items.map((it) => (
        <button
          key={it.id}
          type="button"
          aria-current={it.id === current ? "page" : undefined}
          onClick={() => onGo(it.id)}
        >
          <it.icon size={20} aria-hidden />
          {!!it.count && <Count n={it.count} need={it.need} />}
          <span>{it.label}</span>
        </button>
      ))}
    </nav>
  );
}
