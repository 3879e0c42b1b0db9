import { GitCompare, Pencil } from "lucide-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { useTeam } from "@/stores/team";
import { useDrifted, useReplaced } from "@/stores/drift";
import { useUi } from "@/stores/ui";
import { Button, keysOf } from "@/ui";
import { discard, openReview } from "./actions";

/** How much is not applied yet, the way back and the way on. */
export const ChangeBar = memo(function ChangeBar({ phone }: { phone: boolean }) {
  const { t } = useTranslation();
  const unsent = useTeam((s) => s.unsent),
    known = useTeam((s) => s.base !== undefined),
    busy = useTeam((s) => s.busy);
  const drifted = useDrifted(),
    replaced = useReplaced();
  if (!unsent && !drifted && !replaced) return null;
  return (
    <div className="float changebar left-1/2 -translate-x-1/2" role="region" aria-label={t("canvas.changeBar")}>
      {(drifted > 0 || replaced) && (
        <button type="button" className="chip changebar-drift" onClick={() => useUi.getState().go("drift")}>
          <GitCompare size={12} aria-hidden />
          {replaced ? t("drift.replaced") : t("drift.badge", { count: drifted })}
        </button>
      )}
      {replaced && !unsent && (
        <Button size="sm" tone="main" keys={phone ? undefined : keysOf("review")} onClick={openReview}>
          {t("canvas.review")}
        </Button>
      )}
      {unsent > 0 && (
        <Unsent count={known ? unsent : undefined} busy={busy === "discard"} back={known && !phone} phone={phone} />
      )}
    </div>
  );
});

type UnsentProps = {
  /**
   * Nothing where the gateway never had the team: what of it runs there is only read for the review, which counts from
   * that.
   */
  count?: number;
  busy: boolean; /** There is a way back. */
  back: boolean;
  phone: boolean;
};

/** It leads to the review only on a phone, which is for looking, and where the gateway never had the team. */
function Unsent({ count, busy, back, phone }: UnsentProps) {
  const { t } = useTranslation();
  return (
    <span className="changebar-unsent">
      <Pencil size={14} aria-hidden />
      <b aria-live="polite" className="whitespace-nowrap">
        {count === undefined ? t("canvas.neverApplied") : t("canvas.changes", { count })}
      </b>
      {count !== undefined && <span className="t2 whitespace-nowrap">{t("canvas.notApplied")}</span>}
      <span className="w-1" />
      {back && (
        <Button size="sm" tone="quiet" busy={busy} onClick={() => void discard()}>
          {t("canvas.discard")}
        </Button>
      )}
      <Button size="sm" tone="main" keys={phone ? undefined : keysOf("review")} onClick={openReview}>
        {t("canvas.review")}
      </Button>
    </span>
  );
}
