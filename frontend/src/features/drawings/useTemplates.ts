import { useCallback, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { drawingActions } from "@/stores/drawings";
import { asApiError, type ApiError } from "@/stores/faults";
import { useHub } from "@/stores/hub";
import type { Template } from "@/topology";

/** The product's templates and one's own, read again when they change in any window. */
export function useTemplates(): { all?: Template[]; error?: ApiError; retry: () => void } {
  const { i18n } = useTranslation();
  const lng = i18n.language === "ja" ? "ja" : "en";
  const changed = useHub((s) => s.templates);
  const [round, setRound] = useState(0);
  const [got, setGot] = useState<{ all?: Template[]; error?: ApiError }>({});
  useEffect(() => {
    let gone = false;
    drawingActions.templates(lng).then(
      (all) => {
        if (!gone) setGot({ all });
      },
      (e: unknown) => {
        if (!gone) setGot((had) => ({ all: had.all, error: asApiError(e) }));
      },
    );
    return () => {
      gone = true;
    };
  }, [lng, changed, round]);
  return { ...got, retry: useCallback(() => setRound((n) => n + 1), []) };
}
