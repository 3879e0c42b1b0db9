import { Ban, Check } from "lucide-react";
import { ToggleGroup } from "radix-ui";

const colors = Array.from({ length: 12 }, (_, i) => i + 1);

type Props = {
  label: string;
  value: number;
  onValue: (n: number) => void;
  nameOf: (n: number) => string;
  /** Offers no color, 0, under this name. */
  none?: string;
};

/** One of the twelve identity colors, or none. */
export function Swatches({ label, value, onValue, nameOf, none }: Props) {
  return (
    <div className="field">
      <span className="text-12 font-[500] text-text-2">{label}</span>
      <ToggleGroup.Root
        type="single"
        aria-label={label}
        value={String(value)}
        onValueChange={(v) => {
          if (v) onValue(Number(v));
        }}
        className="flex flex-wrap gap-1.5"
      >
        {none && (
          <ToggleGroup.Item
            value="0"
            aria-label={none}
            title={none}
            className="grid h-6 w-6 place-items-center phone:h-9 phone:w-9 rounded-[var(--r-1)] border border-line-2 text-text-3"
          >
            {value === 0 ? <Check size={14} strokeWidth={2.5} aria-hidden /> : <Ban size={12} aria-hidden />}
          </ToggleGroup.Item>
        )}
        {colors.map((n) => (
          <ToggleGroup.Item
            key={n}
            value={String(n)}
            aria-label={nameOf(n)}
            className="grid h-6 w-6 place-items-center phone:h-9 phone:w-9 rounded-[var(--r-1)]"
            style={{ background: `var(--id-${n})`, color: `var(--id-${n}-on)` }}
          >
            {n === value && <Check size={14} strokeWidth={2.5} aria-hidden />}
          </ToggleGroup.Item>
        ))}
      </ToggleGroup.Root>
    </div>
  );
}
