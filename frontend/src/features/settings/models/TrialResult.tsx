import { CircleCheck, CircleX, LoaderCircle } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Verdict } from "@/i18n/trial";
import { Button, cx, OwnWords } from "@/ui";

/** How a test went: what happened, what to do, and the raw words for who wants them. */
export function TrialResult({
  verdict: v,
  busy,
  onCancel,
}: {
  verdict?: Verdict;
  busy?: boolean;
  onCancel?: () => void;
}) {
  const { t } = useTranslation();
  const Icon = v?.good ? CircleCheck : CircleX;
  return (
    <div aria-live="polite">
      {busy && (
        <p className="row px-3 py-2">
          <LoaderCircle size={14} className="spin" aria-hidden />
          <span className="grow">{t("models.testing")}</span>
          {onCancel && (
            <Button size="sm" tone="quiet" onClick={onCancel}>
              {t("common.cancel")}
            </Button>
          )}
        </p>
      )}
      {!busy && v && (
        <div className={cx("flex gap-2 px-3 py-2.5 text-text", v.good ? "bg-done-soft" : "bg-failed-soft")}>
          <Icon size={16} className={cx("mt-px", v.good ? "text-done" : "text-failed")} aria-hidden />
          <div className="col grow gap-1">
            <p className="break-words">
              <b>{v.title}</b> {v.text}
            </p>
            {v.raw && <OwnWords summary={t("models.details")} text={v.raw} />}
          </div>
        </div>
      )}
    </div>
  );
}
