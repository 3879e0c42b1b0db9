import { Play, ScrollText, Square } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { attempt } from "@/stores/faults";
import { isUp, localAgentActions, useLocalAgent, useLocalAgents } from "@/stores/localAgents";
import { showLog } from "@/stores/logPlace";
import type { Agent } from "@/topology";
import { Button, StatusBadge, type Status } from "@/ui";

const statuses: Record<string, Status> = {
  stopped: "idle",
  starting: "running",
  running: "done",
  restarting: "waiting",
  stopping: "running",
  failed: "failed",
};

/** Starts and stops the agent as a local process. Other agents than the applied team's get a note. */
export function HereFields({ agent }: { agent: Agent }) {
  const { t } = useTranslation();
  const here = useLocalAgent(agent.id),
    { candidates } = useLocalAgents();
  const [busy, setBusy] = useState(false);
  const may = !!here || candidates.some((c) => c.id === agent.id);
  if (!may && agent.url) return null;
  const up = isUp(here);
  const run = () => {
    setBusy(true);
    void attempt(up ? "stopAgent" : "startAgent", () =>
      up ? localAgentActions.stop(agent.id) : localAgentActions.start(agent.id),
    ).finally(() => setBusy(false));
  };
  return (
    <details className="section" open={!!here || undefined}>
      <summary className="cap">{t("here.process")}</summary>
      <p className="cap mt-1">{t(may ? "here.processWhy" : "here.fault.not_applied")}</p>
      {may && (
        <div className="row mt-2 flex-wrap gap-y-1">
          {here && <StatusBadge status={statuses[here.state] ?? "idle"}>{t(`here.state.${here.state}`)}</StatusBadge>}
          <span className="grow" />
          {here && (
            <Button size="sm" tone="quiet" icon={ScrollText} onClick={() => showLog(agent.id)}>
              {t("here.showLog")}
            </Button>
          )}
          <Button size="sm" icon={up ? Square : Play} busy={busy || here?.state === "stopping"} onClick={run}>
            {t(up ? "here.stop" : "here.start")}
          </Button>
        </div>
      )}
    </details>
  );
}
