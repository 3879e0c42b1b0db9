import { useTranslation } from "react-i18next";
import { teamActions } from "@/stores/teams";
import type { ApiError } from "@/stores/faults";
import { useHub } from "@/stores/hub";
import { useRead } from "@/stores/read";
import type { Template } from "@/topology";

/** The product's templates and one's own, read again when they change in any window. */
export function useTemplates(): { all?: Template[]; error?: ApiError; retry: () => void } {
  const { i18n } = useTranslation();
  const lng = i18n.language === "ja" ? "ja" : "en";
  const changed = useHub((s) => s.templates);
  const { data, error, again } = useRead({
    key: ["templates", lng],
    on: [changed],
    read: () => teamActions.templates(lng),
  });
  return { all: data, error, retry: again };
}
