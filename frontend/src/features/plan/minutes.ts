import { useTranslation } from "react-i18next";

/** A length of time as people say it: 25 min, 1 h 30 min, 2 days. */
export function useMinutes(): (minutes: number) => string {
  const { i18n } = useTranslation();
  const of = (n: number, unit: "minute" | "hour" | "day") =>
    new Intl.NumberFormat(i18n.language, {
      style: "unit",
      unit,
      unitDisplay: "short",
      maximumFractionDigits: unit === "minute" ? 0 : 1,
    }).format(n);
  return (minutes) =>
    minutes < 90
      ? of(Math.round(minutes), "minute")
      : minutes < 36 * 60
        ? of(minutes / 60, "hour")
        : of(minutes / 1440, "day");
}
