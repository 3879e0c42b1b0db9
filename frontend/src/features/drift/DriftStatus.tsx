import { GitCompare, Unplug } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useDrifted, useFollowDrift, useReplaced } from "@/stores/drift";
import { useTargetGone } from "@/stores/targetGone";
import { useUi } from "@/stores/ui";
import { StatusItem } from "@/ui";

/** In the status bar: the gateway runs something else than what was read from it, or was removed. */
export function DriftStatus() {
  const { t } = useTranslation();
  useFollowDrift();
  const gone = useTargetGone(),
    n = useDrifted(),
    replaced = useReplaced(),
    screen = useUi((s) => s.screen),
    go = useUi((s) => s.go);
  if (gone)
    return (
      <StatusItem tone="waiting">
        <Unplug size={12} aria-hidden />
        {t("drift.targetGone")}
      </StatusItem>
    );
  if ((!n && !replaced) || screen === "drift") return null;
  return (
    <StatusItem tone="waiting" onClick={() => go("drift")}>
      <GitCompare size={12} aria-hidden />
      {replaced ? t("drift.replaced") : t("drift.badge", { count: n })}
    </StatusItem>
  );
}
