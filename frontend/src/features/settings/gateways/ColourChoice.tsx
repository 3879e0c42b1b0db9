import { Check } from "lucide-react";
import { ToggleGroup } from "radix-ui";
import { useTranslation } from "react-i18next";

const colours = Array.from({ length: 12 }, (_, i) => i + 1);

/** One of the twelve identity colours, by which a gateway is known everywhere. */
export function ColourChoice({ label, value, onValue }: { label: string; value: number; onValue: (n: number) => void }) {
  const { t } = useTranslation();
  return (
    <div className="field">
      <span className="text-12 font-[500] text-text-2">{label}</span>
      <ToggleGroup.Root type="single" aria-label={label} value={String(value)} onValueChange={(v) => { if (v) onValue(Number(v)); }} className="flex flex-wrap gap-1.5">
        {colours.map((n) => (
          <ToggleGroup.Item key={n} value={String(n)} aria-label={t("settings.gateways.colourN", { n })} className="grid h-6 w-6 place-items-center max-sm:h-9 max-sm:w-9 rounded-[var(--r-1)]"
            style={{ background: `var(--id-${n})`, color: `var(--id-${n}-on)` }}>{n === value && <Check size={14} strokeWidth={2.5} aria-hidden />}</ToggleGroup.Item>
        ))}
      </ToggleGroup.Root>
    </div>
  );
}
