import type { ReactNode } from "react";
import { Avatar } from "../Avatar";
import { cx } from "../cx";
import type { Who } from "./Message";

/** A line across the conversation: a day, what happened, or where the unread ones begin. */
export function Divider({ fresh, found, children }: { fresh?: boolean; found?: boolean; children: ReactNode }) {
  return (
    <div className={cx("sysline", fresh && "sysline--new", found && "is-found")}>
      <span>{children}</span>
    </div>
  );
}

/** What somebody did beside talking, in one line that says who. */
export function Passing({ id, who, found, children }: { id?: string; who: Who; found?: boolean; children: ReactNode }) {
  return (
    <article className={cx("msg msg--brief", found && "is-found")} data-message={id}>
      <Avatar size="sm" initials={who.initials} color={who.color} />
      {children}
    </article>
  );
}

/** Who is writing or waits for a turn; keeps its height when nobody is. */
export function TypingLine({ children, active }: { children?: ReactNode; active?: boolean }) {
  return (
    <div className="typing" aria-live="polite">
      {active && (
        <span className="dots" aria-hidden>
          <i />
          <i />
          <i />
        </span>
      )}
      <span className="cut">{children}</span>
    </div>
  );
}
