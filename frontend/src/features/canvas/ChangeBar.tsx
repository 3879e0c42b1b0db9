import { Pencil } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useDrawing } from "@/stores/drawing";
import { Button } from "@/ui";
import { discard, openReview } from "./actions";

/** How much is not applied yet, the way back and the way on. */
export function ChangeBar() {
  const { t } = useTranslation();
  const unsent = useDrawing((s) => s.unsent), busy = useDrawing((s) => s.busy);
  if (!unsent) return null;
  return (
    <div className="float changebar left-1/2 -translate-x-1/2" style={{ bottom: 12 }} role="region" aria-label={t("canvas.changeBar")}>
      <Pencil size={14} aria-hidden />
      <b aria-live="polite" className="whitespace-nowrap">{t("canvas.changes", { count: unsent })}</b><span className="t2 whitespace-nowrap">{t("canvas.notApplied")}</span>
      <span className="w-1" />
      <Button size="sm" tone="quiet" busy={busy === "discard"} onClick={() => void discard()}>{t("canvas.discard")}</Button>
      <Button size="sm" tone="main" keys="Mod+Enter" onClick={openReview}>{t("canvas.review")}</Button>
    </div>
  );
}
