import { TriangleAlert } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatDateTime } from "@/i18n/format";
import { gatewayName } from "@/i18n/gateway";
import { attempt } from "@/stores/faults";
import { tellDesktop } from "@/stores/desktop";
import { gatewayActions, useGateways } from "@/stores/gateways";
import { useUi } from "@/stores/ui";
import type { Gateway } from "@/topology";
import { Banner, Button, marked } from "@/ui";
import { lostWords } from "./lost";
import { chooseSnapshot } from "./place";
import { RollbackDialog } from "./RollbackDialog";
import { RollbackState } from "./RollbackState";

/** Says of each gateway what its config lost, with the way back (OC-4). It stands on every screen. */
export function AlarmBanner() {
  const alarms = useGateways().filter((g) => g.alarm);
  const [restored, setRestored] = useState<{ apply: string; gateway: string }>();
  useNotices(alarms);
  return (
    <>
      {restored && (
        <RollbackState id={restored.apply} gateway={restored.gateway} onClose={() => setRestored(undefined)} />
      )}
      {alarms.map((g) => (
        <OneAlarm key={g.name} gateway={g} onStarted={(apply) => setRestored({ apply, gateway: g.name })} />
      ))}
    </>
  );
}

/** Tells of each new alarm on the desktop, while the page isn't looked at. A click on it shows the banner. */
function useNotices(alarms: readonly Gateway[]) {
  const { t } = useTranslation();
  const told = useRef(new Set<string>());
  useEffect(() => {
    for (const { name, alarm } of alarms) {
      const tag = `alarm:${name}:${alarm?.at ?? ""}`;
      if (!alarm || told.current.has(tag)) continue;
      told.current.add(tag);
      if (Date.parse(alarm.at) < performance.timeOrigin) continue; // it was there before the page
      const title = t("history.alarm.notice", { gateway: marked(gatewayName(t, name)) });
      void tellDesktop({ title, body: t("history.alarm.noticeBody"), tag, place: location.hash || "#/canvas" });
    }
  });
}

function OneAlarm({ gateway: g, onStarted }: { gateway: Gateway; onStarted: (apply: string) => void }) {
  const { t } = useTranslation();
  const [restoring, setRestoring] = useState(false);
  const name = gatewayName(t, g.name),
    alarm = g.alarm;
  if (!alarm) return null;
  return (
    <Banner
      tone="failed"
      icon={TriangleAlert}
      actions={
        <span className="row flex-wrap">
          <Button
            size="sm"
            onClick={() => {
              chooseSnapshot(g.name, alarm.before.id);
              useUi.getState().go("history");
            }}
          >
            {t("history.alarm.see")}
          </Button>
          <Button size="sm" onClick={() => void attempt("dismissAlarm", () => gatewayActions.dismissAlarm(g.name))}>
            {t("history.alarm.accept")}
          </Button>
          <Button
            size="sm"
            tone="main"
            disabled={g.state !== "connected"}
            title={g.state === "connected" ? undefined : t("history.notConnected")}
            onClick={() => setRestoring(true)}
          >
            {t("history.alarm.restore")}
          </Button>
          {restoring && (
            <RollbackDialog snapshot={alarm.before} lost onClose={() => setRestoring(false)} onStarted={onStarted} />
          )}
        </span>
      }
    >
      {t("history.alarm.text", { gateway: name, lost: lostWords(t, alarm.losses), when: formatDateTime(alarm.at) })}
    </Banner>
  );
}
