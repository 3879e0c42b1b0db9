import { LoaderCircle, type LucideIcon } from "lucide-react";
import type { ButtonHTMLAttributes, Ref } from "react";
import { cx } from "./cx";
import { Kbd } from "./Kbd";
import { tip, type Side } from "./Tooltip";

type Common = ButtonHTMLAttributes<HTMLButtonElement> & { ref?: Ref<HTMLButtonElement> };

export type ButtonProps = Common & {
  /** main: the one primary button of a view. */
  tone?: "main" | "quiet" | "danger";
  size?: "sm" | "lg";
  icon?: LucideIcon;
  keys?: string;
  /** Work is under way: the loader stands in for the icon and the button rests. */
  busy?: boolean;
};

export function Button({ tone, size, icon: Icon, keys, busy, className, children, disabled, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
      className={cx("btn", tone && `btn--${tone}`, size && `btn--${size}`, className)}
    >
      {busy ? <LoaderCircle className="spin" size={14} aria-hidden /> : Icon && <Icon size={14} aria-hidden />}
      {children}
      {keys && <Kbd keys={keys} />}
    </button>
  );
}

export type IconButtonProps = Common & {
  icon: LucideIcon;
  /** The name: read aloud, and shown as the tip. */
  label: string;
  keys?: string;
  size?: "sm";
  side?: Side;
  pressed?: boolean;
};

export function IconButton({ icon: Icon, label, keys, size, side, pressed, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-pressed={pressed}
      {...tip(label, keys, side)}
      {...rest}
      className={cx("ib", size && `ib--${size}`, className)}
    >
      <Icon size={size ? 14 : 16} aria-hidden />
    </button>
  );
}
