import { ChevronLeft, Info, RotateCcw, Server } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatDateTime } from "@/i18n/format";
import { errorMeaning } from "@/i18n/problem";
import { applyActions, interruptedOn } from "@/stores/applies";
import type { ApiError } from "@/stores/faults";
import { useGateways } from "@/stores/gateways";
import { useHub } from "@/stores/hub";
import { useRead } from "@/stores/read";
import { useTeam } from "@/stores/team";
import { Button, EmptyState, ErrorState, IconButton, Skeleton } from "@/ui";
import { ComparedCanvas } from "./ComparedCanvas";
import { RollbackDialog } from "./RollbackDialog";
import { RollbackState } from "./RollbackState";
import { OtherSettings, RollbackDifferences, SnapshotCard, SnapshotLine } from "./SnapshotFacts";
import type { ChosenSnapshot } from "./useChosen";
import { useSnapshotPicture } from "./useSnapshotPicture";

type Props = {
  chosen: ChosenSnapshot;
  gateway: string;
  /** It is the newest snapshot. */ first: boolean;
  phone: boolean;
  onDone: () => void;
};

/** A saved config as a picture, marked with what differs from the one it is compared with, and the way back to it. */
export function SnapshotView({ chosen, gateway, first, phone, onDone }: Props) {
  const { t } = useTranslation();
  const s = chosen.b?.kind === "config" ? chosen.b : undefined;
  const base = useTeam((d) => d.base);
  const g = useGateways().find((x) => x.name === gateway);
  const [asking, setAsking] = useState(false);
  const [started, setStarted] = useState<string>();
  const cut = useHub((h) => interruptedOn(h.applies, gateway)?.id),
    [seen, setSeen] = useState<string>();
  const apply = started ?? (cut === seen ? undefined : cut);
  const { shown, error, retry } = useSnapshotPicture(gateway, chosen.a, s?.id);
  const runs = g?.configHash;
  // Where the gateway runs something else by now, the changes of a rollback say more.
  const now = !!s && base?.hash === s.hash && (!runs || runs === s.hash);
  const reaches = g?.state === "connected";
  const rollback = useRead({
    key: ["rollback", gateway, s?.id ?? "", base?.hash ?? "", runs ?? ""],
    when: !!s && !now && reaches,
    read: () => applyActions.previewRollback(gateway, s?.id ?? ""),
  });
  const back = phone ? chosen.close : undefined;
  const differences = reaches && !now && <RollbackDifferences rollback={rollback} />;
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
      ) : shown ? (
        <>
          <ComparedCanvas
            shown={shown}
            label={t("history.preview", { what: formatDateTime(s.at) })}
            same={t(shown.others.length ? "compare.sameDrawn" : "history.same")}
            phone={phone}
            onBack={back}
          />
          <div className="snapshot-facts col max-h-2/5 flex-none gap-1 overflow-auto border-t border-line px-3 py-2">
            <SnapshotLine snapshot={s} />
            <OtherSettings shown={shown} />
            {differences}
          </div>
        </>
      ) : (
        <div className="canvas grid grid-cols-1 content-center justify-items-center gap-4 overflow-auto p-4">
          {error && <NoPicture error={error} onRetry={retry} />}
          {error ? <SnapshotCard snapshot={s} gateway={gateway} /> : <Waiting />}
          {error && differences}
        </div>
      )}
      {back && !shown && (
        <IconButton
          icon={ChevronLeft}
          label={t("history.backToList")}
          className="float absolute! top-3 left-2"
          onClick={back}
        />
      )}
      {s && (
        <footer className="row min-h-12 flex-none flex-wrap gap-y-2 border-t border-line px-3 py-2">
          {!phone && (
            <span className="row cap min-w-56 flex-1">
              <Info size={14} className="t3" aria-hidden />
              {t(first ? "history.sameAsLast" : "history.rollbackHint")}
            </span>
          )}
          <Button
            icon={RotateCcw}
            disabled={!reaches}
            title={reaches ? undefined : t("history.notConnected")}
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

const Waiting = () => {
  const { t } = useTranslation();
  return (
    <div className="w-80 max-w-full">
      <Skeleton lines={4} label={t("common.loading")} />
    </div>
  );
};

/** Why there is no picture. A config that can't be read stays so: trying again is of no use. */
function NoPicture({ error, onRetry }: { error: ApiError; onRetry: () => void }) {
  const { t } = useTranslation();
  if (error.details?.reason === "config_broken")
    return <p className="max-w-xl text-center">{errorMeaning(t, error)}</p>;
  return (
    <ErrorState
      title={t("compare.snapshotFailed")}
      actions={
        <Button size="sm" onClick={onRetry}>
          {t("common.retry")}
        </Button>
      }
    >
      {errorMeaning(t, error)}
    </ErrorState>
  );
}
