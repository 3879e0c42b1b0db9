import { Check, Minus } from "lucide-react";
import { Checkbox as C, RadioGroup as R, Switch as W, ToggleGroup as G } from "radix-ui";
import { useId, useRef, type ReactNode } from "react";
import { isEnter } from "./ime";
import { leaveModEnter, mod } from "./keys";

type Labelled = { label: ReactNode; hint?: ReactNode; disabled?: boolean };

/** Submits the form of a field by its first submit button, as browsers do for Enter in their own fields. */
function submitFormOf(field: HTMLButtonElement): void {
  for (const el of field.form?.elements ?? [])
    if (el instanceof HTMLButtonElement && el.type === "submit") {
      el.click(); // nothing, if it is disabled
      return;
    }
}

export function Checkbox({
  label,
  hint,
  checked,
  onChecked,
  disabled,
}: Labelled & { checked: boolean | "indeterminate"; onChecked: (on: boolean) => void }) {
  const id = useId();
  return (
    <div className="flex items-start gap-2">
      <C.Root
        id={id}
        className="check mt-px"
        checked={checked}
        onCheckedChange={(c) => onChecked(c === true)}
        disabled={disabled}
        onKeyDown={(e) => {
          leaveModEnter(e);
          if (isEnter(e) && !mod(e)) submitFormOf(e.currentTarget);
        }}
        onClick={(e) => {
          if (!e.detail && mod(e)) e.preventDefault(); // Mod+Enter belongs to the screen, also where it does nothing
        }}
      >
        <C.Indicator>
          {checked === "indeterminate" ? <Minus size={12} strokeWidth={2.5} /> : <Check size={12} strokeWidth={2.5} />}
        </C.Indicator>
      </C.Root>
      <label htmlFor={id} className="col">
        <span>{label}</span>
        {hint && <span className="cap">{hint}</span>}
      </label>
    </div>
  );
}

export type RadioOption<V extends string> = { value: V; label: ReactNode; hint?: ReactNode };

export function RadioGroup<V extends string>({
  label,
  value,
  options,
  onValue,
  disabled,
}: {
  label: string;
  value: V;
  options: RadioOption<V>[];
  onValue: (v: V) => void;
  disabled?: boolean;
}) {
  const id = useId();
  return (
    <R.Root
      aria-label={label}
      value={value}
      onValueChange={(v) => onValue(v as V)}
      disabled={disabled}
      className="flex flex-col gap-2"
    >
      {options.map((o) => (
        <div key={o.value} className="flex items-start gap-2">
          <R.Item id={`${id}-${o.value}`} value={o.value} className="check check--radio mt-px" />
          <label htmlFor={`${id}-${o.value}`} className="col">
            <span>{o.label}</span>
            {o.hint && <span className="cap">{o.hint}</span>}
          </label>
        </div>
      ))}
    </R.Root>
  );
}

export function Switch({
  label,
  hint,
  checked,
  onChecked,
  disabled,
}: Labelled & { checked: boolean; onChecked: (on: boolean) => void }) {
  const id = useId();
  return (
    <div className="flex items-start gap-2">
      <W.Root id={id} className="switch mt-px" checked={checked} onCheckedChange={onChecked} disabled={disabled} />
      <label htmlFor={id} className="col">
        <span>{label}</span>
        {hint && <span className="cap">{hint}</span>}
      </label>
    </div>
  );
}

export type SegmentedProps<V extends string> = {
  label: string;
  value: V;
  options: { value: V; label: ReactNode; icon?: ReactNode }[];
  onValue: (v: V) => void;
  size?: "sm";
  disabled?: boolean;
};

/** One of two to four views or values, all visible. The arrows choose, as they do in any group of radio buttons. */
export function Segmented<V extends string>({ label, value, options, onValue, size, disabled }: SegmentedProps<V>) {
  const byArrow = useRef(false);
  return (
    <G.Root
      type="single"
      aria-label={label}
      value={value}
      disabled={disabled}
      onValueChange={(v) => {
        if (v) onValue(v as V);
      }}
      onKeyDown={(e) => {
        byArrow.current = e.key.startsWith("Arrow") && !mod(e) && !e.altKey && !e.shiftKey;
      }}
      className={size ? "seg seg--sm" : "seg"}
    >
      {options.map((o) => (
        <G.Item
          key={o.value}
          value={o.value}
          onFocus={() => {
            if (byArrow.current && o.value !== value) onValue(o.value);
            byArrow.current = false;
          }}
        >
          {o.icon}
          {o.label}
        </G.Item>
      ))}
    </G.Root>
  );
}
