import type { TFunction } from "i18next";
import { errorMeaning } from "@/i18n/problem";
import type { ApiError } from "@/stores/faults";

/** Why a backup, a restore or a clean-up did not work, and what to do. */
export const trouble = (t: TFunction, e: ApiError): string =>
  (e.reason && t(`settings.data.reason.${e.reason}`, { defaultValue: "" })) || errorMeaning(t, e);
