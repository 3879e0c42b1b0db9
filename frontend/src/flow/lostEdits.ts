import type { TFunction } from "i18next";
import { stepText } from "../i18n/step";
import { toast } from "../ui";

const named = 4;

/** Says which edits went with one that was taken back. */
export function tellLost(t: TFunction, labels: readonly string[]): void {
  if (!labels.length) return;
  const what = [...new Set(labels.map((l) => stepText(t, l)))].slice(0, named).join(t("list.comma"));
  toast({ text: t("hub.lostEdits", { count: labels.length, what }), closeLabel: t("common.close") });
}
