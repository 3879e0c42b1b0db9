import { ChevronLeft, Info, RotateCcw, Server } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { ReadOnlyCanvas } from "@/flow";
import { RollbackChanges } from "@/flow/RollbackChanges";
import { gatewayName } from "@/i18n/gateway";
import { formatDateTime } from "@/i18n/format";
import { errorMeaning } from "@/i18n/problem";
import { applyActions, interruptedOn } from "@/stores/applies";
import { useRead } from "@/stores/read";
import { useHub } from "@/stores/hub";
import { useTeam } from "@/stores/team";
import { useTeams } from "@/stores/teams";
import { useGateways } from "@/stores/gateways";
import type { Snapshot } from "@/topology";
import { Button, ColorSquare, EmptyState, ErrorState, IconButton, Skeleton } from "@/ui";
import { lostWords } from "./lost";
import { RollbackDialog } from "./RollbackDialog";
import { RollbackState } from "./RollbackState";

type Props = {
  snapshot?: Snapshot;
  gateway: string;
  /** It is the newest snapshot. */ first: boolean;
  onBack?: () => void;
  onDone: () => void;
};

/** A saved config: as a picture if its team is available, otherwise in words, with the way back to it. */
export function SnapshotView({ snapshot: s, gateway, first, onBack, onDone }: Props) {
  const { t } = useTranslation();
  const base = useTeam((d) => d.base),
    faces = useTeam((d) => d.faces);
  const g = useGateways().find((x) => x.name === gateway);
  const teams = useTeams();
  const [asking, setAsking] = useState(false);
  const [started, setStarted] = useState<string>();
  const cut = useHub((h) => interruptedOn(h.applies, gateway)?.id),
    [seen, setSeen] = useState<string>();
  const apply = started ?? (cut === seen ? undefined : cut);
  const runs = g?.configHash;
  const picture = useMemo(
    // What the gateway runs, as far as the team knows. Where it runs something else by now, the changes say more.
    () => (s && base?.hash === s.hash && (!runs || runs === s.hash) ? base.topology : undefined),
    [s, base, runs],
  );
  const draft = useTeam((d) => d.topology);
  const reaches = g?.state === "connected";
  const rollback = useRead({
    key: ["rollback", gateway, s?.id ?? "", base?.hash ?? "", runs ?? ""],
    when: !!s && !picture && reaches,
    read: () => applyActions.previewRollback(gateway, s?.id ?? ""),
  });
  const team = teams.find((d) => d.id === s?.team)?.name;
  return (
    <div className="col relative grow">
      {apply && (
        <RollbackState
          id={apply}
          gateway={gateway}
          onClose={() => {
            setStarted(undefined);
            setSeen(apply);
            onDone();
          }}
        />
      )}
      {!s ? (
        <div className="canvas grid place-items-center">
          <EmptyState icon={Server} title={t("history.noSnapshot")} />
        </div>
      ) : picture ? (
        <ReadOnlyCanvas topology={picture} faces={faces} label={t("history.preview", { what: formatDateTime(s.at) })} />
      ) : (
        <div className="canvas grid grid-cols-1 content-center justify-items-center gap-4 overflow-auto p-4">
          <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 rounded-[var(--r-2)] border border-line-2 bg-surface p-4">
            <dt className="t3">{t("history.fact.when")}</dt>
            <dd>{formatDateTime(s.at)}</dd>
            <dt className="t3">{t("history.fact.why")}</dt>
            <dd>{t(`history.cause.${s.cause}`, { defaultValue: s.cause })}</dd>
            {!!s.losses?.length && (
              <>
                <dt className="t3">{t("history.fact.lost")}</dt>
                <dd>{lostWords(t, s.losses)}</dd>
              </>
            )}
            <dt className="t3">{t("history.gateway")}</dt>
            <dd className="row">
              <ColorSquare color={g?.color ?? 1} />
              {gatewayName(t, gateway)}
            </dd>
            <dt className="t3">{t("history.fact.agents")}</dt>
            <dd className="num">{s.agents}</dd>
            {team && (
              <>
                <dt className="t3">{t("history.team")}</dt>
                <dd>{team}</dd>
              </>
            )}
            <dt className="t3">{t("history.fact.hash")}</dt>
            <dd className="mono" title={s.hash} translate="no">
              {s.hash.replace(/^.*:/, "").slice(0, 12)}
            </dd>
          </dl>
          {reaches && (
            <section className="w-full max-w-xl" aria-label={t("history.differences")}>
              <h3 className="label px-0">{t("history.differences")}</h3>
              {rollback.data ? (
                <RollbackChanges preview={rollback.data} draft={draft} applied={base?.topology} />
              ) : rollback.error ? (
                <ErrorState
                  title={t("history.notCompared")}
                  actions={<Button onClick={rollback.again}>{t("common.retry")}</Button>}
                >
                  {errorMeaning(t, rollback.error)}
                </ErrorState>
              ) : (
                <Skeleton lines={2} label={t("history.readingNow")} />
              )}
            </section>
          )}
        </div>
      )}
      {onBack && (
        <IconButton
          icon={ChevronLeft}
          label={t("history.backToList")}
          className="float absolute! top-3 left-2"
          onClick={onBack}
        />
      )}
      {s && (
        <footer className="row min-h-12 flex-none flex-wrap gap-y-2 border-t border-line px-3 py-2">
          <span className="row cap min-w-56 flex-1">
            <Info size={14} className="t3" aria-hidden />
            {t(first ? "history.sameAsLast" : "history.rollbackHint")}
          </span>
          <Button
            icon={RotateCcw}
            disabled={g?.state !== "connected"}
            title={g?.state === "connected" ? undefined : t("history.notConnected")}
            onClick={() => setAsking(true)}
          >
            {t("history.rollback")}
          </Button>
        </footer>
      )}
      {asking && s && <RollbackDialog snapshot={s} onClose={() => setAsking(false)} onStarted={setStarted} />}
    </div>
  );
}
