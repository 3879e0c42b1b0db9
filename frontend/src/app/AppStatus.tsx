import { CircleCheck, LoaderCircle, TriangleAlert, Unplug } from "lucide-react";
import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import { gatewayName } from "@/i18n/gateway";
import { SavedState } from "@/features/canvas";
import { useHub } from "@/stores/hub";
import { useTeam, useTarget } from "@/stores/team";
import { changeLook } from "@/stores/look";
import { useFollowAsking, useOpenProblems } from "@/stores/trust";
import { usePanel, useUi } from "@/stores/ui";
import { ColorSquare, StatusBar, StatusItem } from "@/ui";
import { useHubLost } from "./hubLost";
import { later, useLater } from "./later";

const DriftStatus = later(() => import("@/features/drift/DriftStatus").then((m) => m.DriftStatus));
const InboxStatus = later(() => import("@/features/inbox/InboxStatus").then((m) => m.InboxStatus));
const ApplyStatus = later(() => import("@/features/review/ApplyStatus").then((m) => m.ApplyStatus));

/** Left: where this team goes. Right: how it stands, and the language. */
export function AppStatus() {
  const { t, i18n } = useTranslation();
  const target = useTarget();
  const status = useTeam((s) => s.status),
    gateway = useTeam((s) => s.gateway),
    problems = useOpenProblems();
  useFollowAsking();
  const demo = useTeam(
    (s) => s.topology.agents.length > 0 && s.topology.agents.every((a) => a.model?.startsWith("demo/")),
  );
  const screen = useUi((s) => s.screen),
    setPanel = useUi((s) => s.setPanel),
    go = useUi((s) => s.go);
  const bottom = usePanel("canvas.bottom");
  const running = useHub((s) => s.work.running);
  const rest = useLater(),
    ja = i18n.language === "ja";
  const errors = problems.some((p) => p.severity === "error");
  const trouble = target && target.state !== "connected";
  const lost = useHubLost();
  return (
    <StatusBar
      left={
        lost ? (
          <StatusItem tone="waiting">
            <Unplug size={12} aria-hidden />
            {t("status.noHub")}
          </StatusItem>
        ) : (
          <>
            <StatusItem
              tone={trouble && target.state !== "connecting" && target.state !== "starting" ? "waiting" : undefined}
            >
              {gateway ? (
                <>
                  <ColorSquare color={target?.color ?? 1} />
                  <span>{gatewayName(t, gateway)}</span>
                  {trouble && <span>{t(`status.gateway.${target.state}`)}</span>}
                </>
              ) : (
                t("status.noGateway")
              )}
            </StatusItem>
            {target?.state === "connected" && (
              <StatusItem tone="quiet">
                {target.dialect === "local" ? (
                  t("status.local")
                ) : (
                  <span className="mono">{t("status.latency", { ms: Math.round(target.latencyMs) })}</span>
                )}
              </StatusItem>
            )}
            {demo && (
              <StatusItem tone="quiet" title={t("status.demoWhy")}>
                {t("status.demo")}
              </StatusItem>
            )}
          </>
        )
      }
      right={
        <>
          {running > 0 && (
            <StatusItem onClick={() => go("tasks")}>
              <LoaderCircle size={12} className="spin" aria-hidden />
              {t("status.running", { count: running })}
            </StatusItem>
          )}
          {rest && (
            <Suspense>
              <DriftStatus />
            </Suspense>
          )}
          {rest && (
            <Suspense>
              <InboxStatus />
            </Suspense>
          )}
          {rest && (
            <Suspense>
              <ApplyStatus />
            </Suspense>
          )}
          {status === "ready" && screen !== "canvas" && <SavedState />}
          {status === "ready" && (
            <StatusItem
              tone={errors ? "failed" : undefined}
              onClick={() => {
                if (screen !== "canvas") go("canvas");
                setPanel("canvas.bottom", { folded: screen === "canvas" ? !bottom.folded : false });
              }}
            >
              {problems.length ? <TriangleAlert size={12} aria-hidden /> : <CircleCheck size={12} aria-hidden />}
              {problems.length ? t("status.problems", { count: problems.length }) : t("status.noProblems")}
            </StatusItem>
          )}
          <StatusItem
            tone="quiet"
            title={t("status.switchLanguage")}
            onClick={() => changeLook({ language: ja ? "en" : "ja" })}
          >
            {ja ? "日本語" : "English"}
          </StatusItem>
        </>
      }
    />
  );
}
