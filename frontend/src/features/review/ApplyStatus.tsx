import { CircleX, LoaderCircle } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useApply } from "@/stores/applies";
import { useUi } from "@/stores/ui";
import { StatusItem } from "@/ui";
import { useReview } from "./store";

/** In the status bar: the apply under way, or the one that failed and was not looked at. */
export function ApplyStatus() {
  const { t } = useTranslation();
  const apply = useApply(useReview((s) => s.watching)),
    screen = useUi((s) => s.screen),
    go = useUi((s) => s.go);
  if (!apply || apply.state === "done" || apply.state === "canceled" || screen === "review") return null;
  const on = apply.steps.find((s) => s.state === "running");
  const lost = apply.steps.some((s) => s.state === "unknown");
  const name = lost ? "check" : on?.name === "wait" && on.expectedSeconds ? "restart" : on?.name;
  return apply.state === "running" ? (
    <StatusItem onClick={() => go("review")}>
      <LoaderCircle size={12} className="spin" aria-hidden />
      {name ? t("apply.barStep", { step: t(`apply.step.${name}`) }) : t("apply.bar")}
    </StatusItem>
  ) : (
    <StatusItem tone="failed" onClick={() => go("review")}>
      <CircleX size={12} aria-hidden />
      {t(apply.state === "unknown" ? "apply.barUnknown" : "apply.barFailed")}
    </StatusItem>
  );
}
