import { Download, Upload } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { gatewayName } from "@/i18n/gateway";
import { useTeam } from "@/stores/team";
import { liveTeam, useTeams } from "@/stores/teams";
import { whileTeamUndoes } from "@/stores/undoOffer";
import { driftActions } from "@/stores/drift";
import { attempt } from "@/stores/faults";
import { undo } from "@/stores/reach";
import { useUi } from "@/stores/ui";
import type { Drift } from "@/topology";
import { Button, toast } from "@/ui";

/** The two ways to resolve drift. The person always chooses. */
export function DriftFoot({ drift: d, own }: { drift: Drift; own: boolean }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState<"take" | "mine" | "aim">();
  const gateway = gatewayName(t, d.gateway),
    live = liveTeam(useTeams(), d.gateway)?.name,
    go = useUi.getState().go;
  /** A person who has left this screen meanwhile stays where they are. */
  const goOn = (to: string) => {
    if (useUi.getState().screen === "drift") go(to);
  };
  const run = async (what: "take" | "mine" | "aim", work: () => Promise<unknown>, then: () => void) => {
    setBusy(what);
    const done = await attempt(what === "take" ? "import" : "gateway", work);
    setBusy(undefined);
    if (done) then();
  };
  const take = () => {
    if (d.conflicts) {
      go("review");
      return;
    } // both sides changed the same thing: the person chooses there
    void run(
      "take",
      () => useTeam.getState().importGateway(),
      () => {
        goOn("canvas");
        toast({
          tone: "done",
          text: t("drift.taken", { gateway }),
          closeLabel: t("common.close"),
          action: { label: t("common.undo"), run: () => void undo() },
          while: whileTeamUndoes(),
        });
      },
    );
  };
  const mine = () =>
    void run(
      "mine",
      async () => {
        if (!(await useTeam.getState().flush())) throw useTeam.getState().save.error ?? new Error("not saved");
        await driftActions.keepMine();
      },
      () => goOn("review"),
    );
  const aim = () =>
    void run(
      "aim",
      () => useTeam.getState().setGateway(d.gateway),
      () => undefined,
    );
  return (
    <footer className="row min-h-12 flex-none flex-wrap gap-y-2 border-t border-line px-3 py-2">
      <span className="cap min-w-[min(14rem,100%)] flex-1 phone:basis-full">
        {!own
          ? t("drift.otherWhy", { gateway })
          : d.replaced
            ? t("drift.replacedWhy", { name: live ?? "", context: live ? undefined : "unknown" })
            : d.conflicts
              ? t("drift.conflicts", { count: d.conflicts })
              : t("drift.nothingByItself")}
      </span>
      {own && d.replaced ? (
        <Button tone="main" icon={Upload} onClick={() => go("review")}>
          {t("drift.chooseTeam")}
        </Button>
      ) : own ? (
        <>
          <Button icon={Upload} busy={busy === "mine"} disabled={!!busy} onClick={mine}>
            {t("drift.applyMine")}
          </Button>
          <Button
            tone="main"
            icon={Download}
            busy={busy === "take"}
            disabled={!!busy || (!d.drifted && !d.conflicts && d.known)}
            onClick={take}
          >
            {t(d.conflicts ? "drift.takeChoose" : "drift.take")}
          </Button>
        </>
      ) : (
        <Button busy={busy === "aim"} onClick={aim}>
          {t("drift.aim", { gateway })}
        </Button>
      )}
    </footer>
  );
}
