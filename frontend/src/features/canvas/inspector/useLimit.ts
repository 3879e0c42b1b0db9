import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatBytes, formatNumber } from "@/i18n/format";
import { LIMITS } from "@/topology";
import { tooLong } from "@/topology/limits";

/** Holds back what is typed into a field while it's more than the hub takes, and gives the error for the field. */
export function useLimit(most: number = LIMITS.text) {
  const { t } = useTranslation();
  const [fault, setFault] = useState<"long" | "many">();
  return {
    error:
      fault &&
      t(`inspector.limit.${fault}`, { most: fault === "long" ? formatBytes(most) : formatNumber(LIMITS.listed) }),
    fits: (text: string | readonly string[]): boolean => {
      const lines = typeof text === "string" ? [text] : text,
        now = lines.length > LIMITS.listed ? "many" : lines.some((l) => tooLong(l, most)) ? "long" : undefined;
      setFault(now);
      return !now;
    },
  };
}
