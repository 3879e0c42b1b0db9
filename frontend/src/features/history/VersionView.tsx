import { ChevronLeft, Copy, Flag, History, Info } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { i18next } from "@/i18n";
import { formatWhen } from "@/i18n/format";
import { errorMeaning } from "@/i18n/problem";
import { useTeam } from "@/stores/team";
import { whileTeamUndoes } from "@/stores/undoOffer";
import { teamActions } from "@/stores/teams";
import { attempt } from "@/stores/faults";
import { useUi } from "@/stores/ui";
import { nothing, type Version } from "@/topology";
import { Button, EmptyState, ErrorState, IconButton, Skeleton, TextDiff, toast } from "@/ui";
import { ComparedCanvas } from "./ComparedCanvas";
import { NameDialog } from "./NameDialog";
import { useComparison, type Comparison } from "./useComparison";
import type { Chosen } from "./useChosen";
import { versionTitle } from "./words";

async function restore(v: Version): Promise<void> {
  const t = i18next.t;
  if (!(await attempt("restore", () => useTeam.getState().restore(v.id)))) return;
  toast({
    tone: "done",
    text: t("history.restored", { what: formatWhen(v.at, true) }),
    closeLabel: t("common.close"),
    action: { label: t("common.undo"), run: () => void attempt("undo", useTeam.getState().undo) },
    while: whileTeamUndoes(),
  });
}

async function openCopy(v: Version, got: Comparison): Promise<void> {
  const t = i18next.t,
    { name, gateway } = useTeam.getState();
  const done = await attempt("create", () =>
    teamActions.create({
      topology: got.b,
      gateway,
      name: t("history.copyName", { name: v.name || name, when: formatWhen(v.at, true) }),
    }),
  );
  if (!done) return;
  useUi.getState().choose(nothing);
  useUi.getState().go("canvas");
}

/** Takes a version's name away; the toast brings it back. */
async function unname(v: Version, onNamed: (v: Version) => void): Promise<void> {
  const t = i18next.t,
    id = useTeam.getState().id,
    name = v.name ?? "";
  const set = (to: string) => attempt("any", () => teamActions.nameVersion(id, v.id, to).then(onNamed));
  if (await set(""))
    toast({
      tone: "done",
      text: t("compare.unnamed", { name }),
      closeLabel: t("common.close"),
      action: { label: t("common.undo"), run: () => void set(name) },
    });
}

type Props = {
  chosen: Chosen;
  onNamed: (v: Version) => void;
  phone: boolean;
  /** As team files side by side instead of on the canvas. */ text?: boolean;
};

/** A version as it was drawn, marked with what differs from the one it is compared with. */
export function VersionView({ chosen, onNamed, phone, text }: Props) {
  const { t } = useTranslation();
  const { a, b } = chosen;
  const { shown, current, error, retry } = useComparison(a, b?.id, text);
  const busy = useTeam((s) => s.busy);
  const [naming, setNaming] = useState(false);
  const ready = current ? shown : undefined;
  return (
    <div className="col grow">
      {text && shown?.after !== undefined ? (
        <CompareText first={!a} shown={shown} phone={phone} onBack={phone ? chosen.close : undefined} />
      ) : shown ? (
        <ComparedCanvas
          shown={shown}
          label={b ? t("history.preview", { what: versionTitle(t, b) }) : t("canvas.label")}
          same={t("history.same")}
          phone={phone}
          onBack={phone ? chosen.close : undefined}
        >
          {error && (
            <div className="absolute inset-x-3 bottom-3">
              <ErrorState
                title={t("history.previewFailed")}
                actions={
                  <Button size="sm" onClick={retry}>
                    {t("common.retry")}
                  </Button>
                }
              >
                {errorMeaning(t, error)}
              </ErrorState>
            </div>
          )}
        </ComparedCanvas>
      ) : (
        <div className="canvas grid place-items-center">
          {error ? (
            <div className="p-3">
              <ErrorState
                title={t("history.previewFailed")}
                actions={
                  <Button size="sm" onClick={retry}>
                    {t("common.retry")}
                  </Button>
                }
              >
                {errorMeaning(t, error)}
              </ErrorState>
            </div>
          ) : b ? (
            <div className="w-80">
              <Skeleton lines={4} label={t("common.loading")} />
            </div>
          ) : (
            <EmptyState icon={History} title={t("compare.nothingChosen")} />
          )}
        </div>
      )}
      {b && (
        <footer className="row min-h-12 flex-none flex-wrap gap-y-2 border-t border-line px-3 py-2">
          {!phone && (
            <span className="row cap min-w-56 flex-1">
              <Info size={14} className="t3" aria-hidden />
              {t(b.current ? "history.isNow" : "history.restoreWhy")}
            </span>
          )}
          <Button tone="quiet" icon={Flag} onClick={() => setNaming(true)}>
            {t(b.name ? "history.rename" : "history.name")}
          </Button>
          {b.name && !phone && (
            <Button tone="quiet" onClick={() => void unname(b, onNamed)}>
              {t("history.unname")}
            </Button>
          )}
          <Button
            icon={phone ? undefined : Copy}
            disabled={!ready}
            onClick={() => {
              if (ready) void openCopy(b, ready);
            }}
          >
            {t("history.openCopy")}
          </Button>
          <Button tone="main" disabled={b.current || !!busy} busy={busy === "restore"} onClick={() => void restore(b)}>
            {t(chosen.pinned ? "history.restoreB" : "history.restore")}
          </Button>
        </footer>
      )}
      {naming && b && <NameDialog version={b} onNamed={onNamed} onClose={() => setNaming(false)} />}
    </div>
  );
}

/** Both versions as team files, without places. */
function CompareText({
  first,
  shown,
  phone,
  onBack,
}: {
  first: boolean;
  shown: Comparison;
  phone: boolean;
  onBack?: () => void;
}) {
  const { t } = useTranslation();
  const labels = useMemo(
    () => ({ before: "A", after: "B", both: t("compare.text"), same: t("review.text.same") }),
    [t],
  );
  const same = shown.before === shown.after;
  return (
    <div className="compare-text">
      <div className="compare-bar cap">
        {onBack && <IconButton size="sm" icon={ChevronLeft} label={t("history.backToList")} onClick={onBack} />}
        <span className="cut">{t(first ? "compare.firstText" : same ? "compare.sameText" : "compare.text")}</span>
      </div>
      <TextDiff
        before={shown.before ?? ""}
        after={shown.after ?? ""}
        language="yaml"
        mode={phone || same ? "unified" : "split"}
        labels={labels}
        loading={<Skeleton lines={4} label={t("common.loading")} />}
        failed={
          <div className="p-3">
            <ErrorState title={t("review.text.failed")} />
          </div>
        }
      />
    </div>
  );
}
