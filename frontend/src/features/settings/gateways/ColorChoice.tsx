import { useTranslation } from "react-i18next";
import { Swatches } from "@/ui";

/** One of the twelve identity colors, by which a gateway is known everywhere. */
export function ColorChoice({ label, value, onValue }: { label: string; value: number; onValue: (n: number) => void }) {
  const { t } = useTranslation();
  return (
    <Swatches label={label} value={value} onValue={onValue} nameOf={(n) => t("settings.gateways.colorN", { n })} />
  );
}
