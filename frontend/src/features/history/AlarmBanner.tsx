import { TriangleAlert } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatDateTime } from "@/i18n/format";
import { gatewayName } from "@/i18n/gateway";
import { attempt } from "@/stores/faults";
import { gatewayActions, useGateways } from "@/stores/gateways";
import { useUi } from "@/stores/ui";
import type { Gateway } from "@/topology";
import { Banner, Button } from "@/ui";
import { lostWords } from "./lost";
import { chooseSnapshot } from "./place";
import { RollbackDialog } from "./RollbackDialog";
import { RollbackState } from "./RollbackState";

/** Says of each gateway what its config lost, with the way back (OC-4). It stands on every screen. */
export function AlarmBanner() {
  const alarms = useGateways().filter((g) => g.alarm);
  const [restored, setRestored] = useState<{ apply: string; gateway: string }>();
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
