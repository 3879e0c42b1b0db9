import { GitCompare } from "lucide-react";
import { useTranslation } from "react-i18next";
import { gatewayName } from "@/i18n/gateway";
import { formatWhen } from "@/i18n/format";
import { useTeam, useTarget } from "@/stores/team";
import { useDrifted } from "@/stores/drift";
import { useUi } from "@/stores/ui";
import { ColorSquare } from "@/ui";

/** Above the versions: what the team's gateway runs now, and whether that is what was read from it. */
export function RunsNow() {
  const { t } = useTranslation();
  const target = useTarget(),
    base = useTeam((s) => s.base),
    drifted = useDrifted();
  if (!target || !base) return null;
  return (
    <button type="button" className="lrow runs-now" data-runs-now onClick={() => useUi.getState().go("drift")}>
      <ColorSquare color={target.color} />
      <span className="col grow">
        <span>{t("compare.runsNow", { gateway: gatewayName(t, target.name) })}</span>
        <span className={drifted ? "cap text-waiting!" : "cap"}>
          {drifted
            ? t("drift.badge", { count: drifted })
            : t("compare.runsSame", { at: formatWhen(base.readAt, true) })}
        </span>
      </span>
      <GitCompare size={14} className={drifted ? "text-waiting" : "t3"} aria-hidden />
    </button>
  );
}
