import { memo } from "react";
import { cx } from "./cx";

/** An agent's face: initials on its identity color (1 to 12), or a person's circle (0). */
export const Avatar = memo(function Avatar({
  initials,
  color,
  size,
}: {
  initials: string;
  color: number;
  size?: "sm" | "lg";
}) {
  return (
    <span
      className={cx("ava", size && `ava--${size}`, color === 0 && "ava--human")}
      translate="no"
      aria-hidden
      style={color ? { background: `var(--id-${color})`, color: `var(--id-${color}-on)` } : undefined}
    >
      {initials}
    </span>
  );
});
