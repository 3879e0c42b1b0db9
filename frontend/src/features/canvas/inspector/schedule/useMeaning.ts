import { useTranslation } from "react-i18next";
import { errorMeaning } from "@/i18n/problem";
import type { ApiError } from "@/stores/faults";

/** What could not be done, and why. */
export type Failed = { what: string; error: ApiError };

/** What an error about a job means, in the person's language. */
export function useMeaning(): (e: ApiError) => string {
  const { t } = useTranslation();
  return (e) =>
    e.code === "NOT_FOUND"
      ? t("schedule.gone")
      : e.code === "CONFLICT"
        ? t("schedule.conflict")
        : e.code === "GATEWAY_ERROR" && e.details?.reason === "rejected"
          ? t("schedule.says", { text: e.message })
          : errorMeaning(t, e);
}
