import { Circle, CircleCheck, Download, File, Plus, Server, Signpost, X } from "lucide-react";
import { useEffect, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { attempt } from "@/stores/faults";
import { useTeam, useTarget } from "@/stores/team";
import { providerActions, useProviders } from "@/stores/providers";
import { useUi } from "@/stores/ui";
import { chosenCount } from "@/topology";
import { Button, cx, IconButton, Panel, PanelHead, useMedia } from "@/ui";
import { closeGuide, useGuide, useProgress } from "./progress";
import { RealModels } from "./RealModels";
import { suggest } from "./suggest";
import { startTour } from "./tour";

export type GuideProps = {
  onImport: () => void;
  onOpenFile: () => void;
  /** Leads to the form for a gateway at this address. */ onGateway: (url: string) => void;
  onModels: () => void;
};

/** The guide of the first run: what to try, ticked off when it has been done, and how to bring one's own team. */
export function StartHere({ onImport, onOpenFile, onGateway, onModels }: GuideProps) {
  const { t } = useTranslation();
  const { drew, applied } = useProgress();
  const topology = useTeam((s) => s.topology),
    unsent = useTeam((s) => s.unsent);
  const local = useTarget()?.builtin;
  const found = useProviders((s) => s.found.gateway);
  useEffect(() => {
    providerActions.find().catch(() => undefined); // what isn't found can be added by hand
    void providerActions.load();
  }, []);
  const pair = drew ? null : suggest(topology);
  const done = Number(drew) + Number(applied),
    now = drew ? (applied ? 0 : 2) : 1;
  const review = applied || !unsent ? undefined : () => useUi.getState().go("review");
  return (
    <div className="col h-full min-h-0">
      <PanelHead>
        <b className="grow">{t("firstrun.title")}</b>
        <span className="cap num">{t("firstrun.count", { done, of: 2 })}</span>
        <IconButton
          icon={X}
          size="sm"
          label={t("firstrun.close")}
          onClick={() => void attempt("settings", closeGuide)}
        />
      </PanelHead>
      <div className="scroll">
        <div className="px-5 pt-5 pb-3">
          <h2 className="text-20 leading-[1.35]">{t(now ? "firstrun.heading" : "firstrun.headingDone")}</h2>
          <p className="read t2 mt-1">
            {now ? (local ? t("firstrun.leadLocal") : !applied && t("firstrun.lead")) : t("firstrun.leadDone")}
          </p>
          <Button size="sm" className="mt-3" icon={Signpost} onClick={startTour}>
            {t("firstrun.tour.start")}
          </Button>
        </div>
        <ol className="px-3 pb-3">
          <Step done={drew} now={now === 1} title={pair ? t("firstrun.draw", pair) : t("firstrun.drawAny")}>
            {pair ? t("firstrun.drawWhy", pair) : t("firstrun.drawWhyAny")}
          </Step>
          <Step done={applied} now={now === 2} title={t("firstrun.apply")} onClick={review}>
            {t("firstrun.applyWhy")}
          </Step>
        </ol>
        <RealModels onSettings={onModels} />
        <section className="border-t border-line px-5 py-4">
          <h3 className="mb-1">{t("firstrun.own")}</h3>
          <p className="t2 mb-2">{t("firstrun.ownWhy")}</p>
          {found && (
            <div className="row mb-2 rounded-[var(--r-2)] border border-line-2 px-3 py-2">
              <Server size={16} className="t2" aria-hidden />
              <span className="col grow">
                <b>{t("firstrun.gatewayFound")}</b>
                <span className="cap mono cut" translate="no">
                  {found.url}
                </span>
              </span>
              <Button size="sm" icon={Plus} onClick={() => onGateway(found.url)}>
                {t("firstrun.addIt")}
              </Button>
            </div>
          )}
          <div className="row flex-wrap">
            <Button icon={Download} onClick={onImport}>
              {t("firstrun.import")}
            </Button>
            <Button tone="quiet" icon={File} onClick={onOpenFile}>
              {t("firstrun.openFile")}
            </Button>
          </div>
        </section>
        <p className="cap px-5 pb-4">{t("firstrun.again")}</p>
      </div>
    </div>
  );
}

function Step({
  done,
  now,
  title,
  onClick,
  children,
}: {
  done: boolean;
  now: boolean;
  title: string;
  onClick?: () => void;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const inner = (
    <>
      {done ? (
        <CircleCheck size={16} className="mt-px text-done" aria-label={t("firstrun.done")} />
      ) : (
        <Circle size={16} className={cx("mt-px", now ? "text-accent-text" : "t3")} aria-hidden />
      )}
      <span className="flex min-w-0 flex-1 flex-col">
        <span className={cx(done && "t2")}>{now ? <b>{title}</b> : title}</span>
        <span className="cap">{children}</span>
      </span>
    </>
  );
  const cls = "flex w-full gap-2 rounded-[var(--r-2)] px-2 py-1.5 text-left";
  return (
    <li aria-current={now ? "step" : undefined} className={now ? "rounded-[var(--r-2)] bg-accent-soft" : undefined}>
      {onClick ? (
        <button type="button" className={cx(cls, "hover:bg-[var(--hover)]")} onClick={onClick}>
          {inner}
        </button>
      ) : (
        <div className={cls}>{inner}</div>
      )}
    </li>
  );
}

/** The same where the side panel lies over the canvas: shown until something is chosen. A phone only looks at the canvas, so not there. */
export function StartHereOver(props: GuideProps) {
  const { t } = useTranslation();
  const between = useMedia("(min-width: 640px) and (max-width: 1199px)");
  const any = useUi((s) => chosenCount(s.chosen) > 0),
    ready = useTeam((s) => s.status === "ready");
  const shown = useGuide();
  if (!between || !shown || any || !ready) return null;
  return (
    <div className="absolute right-0 bottom-0 left-0" style={{ top: "var(--h-head)", pointerEvents: "none" }}>
      <Panel kind="side" over label={t("firstrun.title")} className="pointer-events-auto">
        <StartHere {...props} />
      </Panel>
    </div>
  );
}
