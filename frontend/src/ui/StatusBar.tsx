import type { ReactNode } from "react";

export function StatusBar({ left, right }: { left: ReactNode; right: ReactNode }) {
  return (
    <footer className="status">
      {left}
      <span className="grow" />
      {right}
    </footer>
  );
}

/** One item: a button when it leads somewhere. */
export function StatusItem({
  children,
  onClick,
  tone,
  title,
}: {
  children: ReactNode;
  onClick?: () => void;
  tone?: "failed" | "waiting" | "quiet";
  title?: string;
}) {
  const cls =
    tone === "failed" ? "st text-failed" : tone === "waiting" ? "st text-waiting" : tone === "quiet" ? "st t3" : "st";
  return onClick ? (
    <button type="button" className={cls} onClick={onClick} title={title}>
      {children}
    </button>
  ) : (
    <span className={cls} title={title}>
      {children}
    </span>
  );
}
