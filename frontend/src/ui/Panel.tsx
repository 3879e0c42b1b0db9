import type { ReactNode } from "react";
import { Boundary } from "./Boundary";
import { cx } from "./cx";
import { SplitHandle, type SplitProps } from "./SplitHandle";

export type PanelProps = {
  kind: "list" | "side" | "bottom";
  label: string;
  /** Width, or height of a bottom panel. */
  size?: number;
  split?: SplitProps;
  over?: boolean;
  children: ReactNode;
  className?: string;
};

/** A panel beside or below the work. With `split` it can be resized and remembers. A fault in it stays in it. */
export function Panel({ kind, label, size, split, over, children, className }: PanelProps) {
  const style =
    size === undefined
      ? undefined
      : kind === "bottom"
        ? { height: `calc(${size} * var(--u))` }
        : { width: `calc(${size} * var(--u))` };
  return (
    <aside className={cx("panel", `panel--${kind}`, over && "panel--over", className)} aria-label={label} style={style}>
      {split && <SplitHandle {...split} />}
      <Boundary>{children}</Boundary>
    </aside>
  );
}

/** The head of a screen: title left, tools right, at most one primary button. */
export function ScreenHead({
  children,
  rows,
}: {
  children: ReactNode;
  /** On a phone it may take two rows. */ rows?: boolean;
}) {
  return <header className={rows ? "head head--rows" : "head"}>{children}</header>;
}

/** The head of a panel. */
export function PanelHead({ children }: { children: ReactNode }) {
  return <div className="head">{children}</div>;
}
