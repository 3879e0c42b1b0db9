import { CircleAlert, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

/** A sentence across the top of what it is about. */
export function Banner({
  tone,
  icon: Icon,
  children,
  actions,
}: {
  tone?: "waiting" | "failed";
  icon?: LucideIcon;
  children: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <div className={tone ? `banner banner--${tone}` : "banner"} role={tone === "failed" ? "alert" : "status"}>
      {Icon && <Icon size={16} className="ico" aria-hidden />}
      <span className="grow">{children}</span>
      {actions}
    </div>
  );
}

/** Nothing here yet: says what it is for and offers the first step. */
export function EmptyState({
  icon: Icon,
  title,
  children,
  action,
}: {
  icon?: LucideIcon;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="empty">
      {Icon && <Icon size={20} className="ico" aria-hidden />}
      <b>{title}</b>
      {children && <p className="max-w-80">{children}</p>}
      {action}
    </div>
  );
}

/** The hub's own words, in English, for who wants to know more. */
export function OwnWords({ summary, text }: { summary: string; text: string }) {
  return (
    <details className="cap">
      <summary>{summary}</summary>
      <p className="mt-1 whitespace-pre-wrap break-words select-text" lang="en">
        {text}
      </p>
    </details>
  );
}

/** What happened, what it means, what to do. */
export function ErrorState({ title, children, actions }: { title: string; children?: ReactNode; actions?: ReactNode }) {
  return (
    <div className="error" role="alert">
      <CircleAlert size={16} className="ico" aria-hidden />
      <b>{title}</b>
      {children && <span className="t2">{children}</span>}
      {actions && <span className="row mt-2 flex-wrap">{actions}</span>}
    </div>
  );
}

/** Grey bars where lines will stand. */
export function Skeleton({ lines = 3, label }: { lines?: number; label: string }) {
  return (
    <div className="col gap-3 p-3" role="status" aria-label={label}>
      {Array.from({ length: lines }, (_, i) => (
        <span key={i} className="skel" style={{ width: `${[70, 92, 55, 80][i % 4]}%` }} />
      ))}
    </div>
  );
}

/** value is 0 to 1; full shows it as used up. */
export function Progress({ value, label, full }: { value: number; label: string; full?: boolean }) {
  const pct = Math.round(Math.min(1, Math.max(0, value)) * 100);
  return (
    <div
      className="progress"
      data-full={full || undefined}
      role="progressbar"
      aria-label={label}
      aria-valuenow={pct}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <i style={{ width: `${pct}%` }} />
    </div>
  );
}
