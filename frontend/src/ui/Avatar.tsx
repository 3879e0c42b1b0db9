import { memo } from "react";
import { cx } from "./cx";

/** An agent's face: initials on its identity colour (1 to 12), or a person's circle (0). */
export const Avatar = memo(function Avatar({
  initials,
  colour,
  size,
}: {
  initials: string;
  colour: number;
  size?: "sm" | "lg";
}) {
  return (
    <span
      className={cx("ava", size && `ava--${size}`, colour === 0 && "ava--human")}
      translate="no"
      aria-hidden
      style={colour ? { background: `var(--id-${colour})`, color: `var(--id-${colour}-on)` } : undefined}
    >
      {initials}
    </span>
  );
});
