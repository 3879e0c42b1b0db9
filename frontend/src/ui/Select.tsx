import { Check } from "lucide-react";
import { Select as S } from "radix-ui";
import type { ReactNode } from "react";
import { cx } from "./cx";
import { leaveModEnter } from "./keys";
import { styleNonce } from "./nonce";

export type Option<V extends string = string> = { value: V; label: string; icon?: ReactNode; hint?: string };

export type SelectProps<V extends string> = {
  value: V;
  options: Option<V>[];
  onValue: (value: V) => void;
  label?: string;
  id?: string;
  size?: "sm";
  changed?: boolean;
  disabled?: boolean;
  placeholder?: string;
  className?: string;
  /** Only the word, without a border: for rows. */
  quiet?: boolean;
};

/** One of a few. For many or free text, use Combobox. */
export function Select<V extends string>({
  value,
  options,
  onValue,
  label,
  id,
  size,
  changed,
  disabled,
  placeholder,
  className,
  quiet,
}: SelectProps<V>) {
  const chosen = options.find((o) => o.value === value);
  return (
    <S.Root value={value} onValueChange={(v) => onValue(v as V)} disabled={disabled}>
      <S.Trigger
        id={id}
        aria-label={label}
        onKeyDown={leaveModEnter}
        className={cx(
          "input input--select",
          size && "input--sm",
          changed && "is-changed",
          quiet && "input--quiet",
          className,
        )}
      >
        {!quiet && chosen?.icon}
        <span className={quiet ? "whitespace-nowrap" : "cut grow"}>
          <S.Value placeholder={placeholder}>{chosen?.label}</S.Value>
        </span>
      </S.Trigger>
      <S.Portal>
        <S.Content
          className="menu"
          position="popper"
          sideOffset={4}
          style={{ minWidth: "var(--radix-select-trigger-width)" }}
        >
          <S.Viewport nonce={styleNonce()}>
            {options.map((o) => (
              <S.Item key={o.value} value={o.value} className="trow">
                {o.icon}
                <span className="cut" title={o.label}>
                  <S.ItemText>{o.label}</S.ItemText>
                </span>
                {o.hint && <span className="cap">{o.hint}</span>}
                <span className="grow" />
                <S.ItemIndicator>
                  <Check size={14} />
                </S.ItemIndicator>
              </S.Item>
            ))}
          </S.Viewport>
        </S.Content>
      </S.Portal>
    </S.Root>
  );
}
