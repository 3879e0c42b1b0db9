import type { LucideIcon } from "lucide-react";
import {
  useEffect,
  useImperativeHandle,
  useRef,
  type InputHTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  type TextareaHTMLAttributes,
} from "react";
import { cx } from "./cx";
import { useDraftText } from "./useDraftText";

type Looks = { invalid?: boolean; warn?: boolean; changed?: boolean; mono?: boolean };
const looks = (l: Looks) =>
  cx(
    l.invalid && "is-bad",
    !l.invalid && l.warn && "is-warn",
    !l.invalid && !l.warn && l.changed && "is-changed",
    l.mono && "mono",
  );

export type InputProps = Omit<InputHTMLAttributes<HTMLInputElement>, "value" | "onChange" | "size"> &
  Looks & {
    value: string;
    onText: (text: string) => void;
    icon?: LucideIcon;
    size?: "sm";
    after?: ReactNode;
    ref?: Ref<HTMLInputElement>;
    draft?: Ref<DraftHandle>;
  };

/** Shows a text that was chosen for the field while it has the focus. */
export type DraftHandle = { show: (text: string) => void };

/** One line of text. Safe with input methods; never reset while focused. */
export function Input({
  value,
  onText,
  icon: Icon,
  invalid,
  warn,
  changed,
  mono,
  size,
  after,
  draft,
  className,
  onBlur,
  onFocus,
  ...rest
}: InputProps) {
  const { bind, show } = useDraftText(value, onText);
  useImperativeHandle(draft, () => ({ show }), [show]);
  return (
    <span
      className={cx("input", size && "input--sm", looks({ invalid, warn, changed, mono }), className)}
      data-disabled={rest.disabled || undefined}
    >
      {Icon && <Icon size={14} className="t2" aria-hidden />}
      <input
        type="text"
        autoComplete="off"
        spellCheck={false}
        {...rest}
        {...bind}
        onFocus={(e) => {
          bind.onFocus();
          onFocus?.(e);
        }}
        onBlur={(e) => {
          bind.onBlur();
          onBlur?.(e);
        }}
      />
      {after}
    </span>
  );
}

export type TextareaProps = Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "value" | "onChange"> &
  Looks & {
    value: string;
    onText: (text: string) => void;
    /** Grows with its text up to this many pixels. */
    grow?: number;
    draft?: Ref<DraftHandle>;
  };

export function Textarea({
  value,
  onText,
  invalid,
  warn,
  changed,
  mono,
  grow,
  draft,
  className,
  onBlur,
  onFocus,
  ...rest
}: TextareaProps) {
  const { bind, text, show } = useDraftText(value, onText);
  useImperativeHandle(draft, () => ({ show }), [show]);
  const ref = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const el = ref.current;
    if (!el || !grow) return;
    el.style.height = "auto";
    el.style.height = `${Math.min(el.scrollHeight + 2, grow)}px`;
  }, [text, grow]);
  return (
    <textarea
      ref={ref}
      {...rest}
      {...bind}
      className={cx("input", looks({ invalid, warn, changed, mono }), className)}
      onFocus={(e) => {
        bind.onFocus();
        onFocus?.(e);
      }}
      onBlur={(e) => {
        bind.onBlur();
        onBlur?.(e);
      }}
    />
  );
}

/** Keys of a field stay in the field, so that the canvas does not act on them. */
export const keepKeys = (e: KeyboardEvent) => e.stopPropagation();
