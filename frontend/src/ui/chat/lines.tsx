import type { ReactNode } from "react";
import { cx } from "../cx";

/** A line across the conversation: a day, what happened, or where the unread ones begin. */
export function Divider({ fresh, children }: { fresh?: boolean; children: ReactNode }) {
  return <div className={cx("sysline", fresh && "sysline--new")}><span>{children}</span></div>;
}

/** Who is writing or waits for a turn; keeps its height when nobody is. */
export function TypingLine({ children, active }: { children?: ReactNode; active?: boolean }) {
  return <div className="typing" aria-live="polite">{active && <span className="dots" aria-hidden><i /><i /><i /></span>}<span className="cut">{children}</span></div>;
}
