import { CircleCheck, CircleDashed, CirclePause, CircleX, LoaderCircle, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "./cx";

export type DiffTone = "add" | "del" | "chg" | "mov";
export type Status = "running" | "waiting" | "failed" | "done" | "idle";

export function Badge({ tone, title, children }: { tone?: DiffTone; title?: string; children: ReactNode }) {
  return (
    <span className={cx("badge", tone && `d-${tone}`)} title={title}>
      {children}
    </span>
  );
}

export const statusIcon: Record<Status, LucideIcon> = {
  running: LoaderCircle,
  waiting: CirclePause,
  failed: CircleX,
  done: CircleCheck,
  idle: CircleDashed,
};

/** Status is always color, shape and word together. */
export function StatusBadge({ status, children }: { status: Status; children: ReactNode }) {
  const Icon = statusIcon[status];
  return (
    <span className={`badge s-${status}`}>
      <Icon size={12} className={status === "running" ? "spin" : undefined} aria-hidden />
      {children}
    </span>
  );
}

export function Chip({
  pressed,
  children,
  onClick,
  title,
}: {
  pressed?: boolean;
  children: ReactNode;
  onClick?: () => void;
  title?: string;
}) {
  return onClick ? (
    <button type="button" className="chip" aria-pressed={pressed} onClick={onClick} title={title}>
      {children}
    </button>
  ) : (
    <span className="chip" title={title}>
      {children}
    </span>
  );
}

/** A number in a pill; `need` only where the person is needed. */
export function Count({ n, need }: { n: number; need?: boolean }) {
  return <span className={cx("count", need && "count--need")}>{n > 99 ? "99+" : n}</span>;
}

/** How much was not read of what a row stands for. */
export function UnreadCount({ n, text }: { n: number; text: string }) {
  return (
    <span className="unread" title={text}>
      <Count n={n} />
      <span className="sr-only">{text}</span>
    </span>
  );
}

/** A gateway's or computer's color, in front of its name. */
export function ColorSquare({ color }: { color: number }) {
  return <i className="gw" style={{ background: `var(--id-${((color - 1 + 12) % 12) + 1})` }} aria-hidden />;
}
