import { ReactFlowProvider } from "@xyflow/react";
import { FilePlus2, Waypoints, X } from "lucide-react";
import { Suspense, useEffect, useMemo, useState, type CSSProperties, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { errorMeaning } from "@/i18n/problem";
import { nobodyWorks, tellLost, WorkContext, type Lane, type WorkSource } from "@/flow";
import { useTeam, useTarget } from "@/stores/team";
import { teamActions } from "@/stores/teams";
import { attempt } from "@/stores/faults";
import { fetched, fetchLater, patiently } from "@/stores/fetched";
import { useModels } from "@/stores/models";
import { usePanel, useUi } from "@/stores/ui";
import { roomWorkLater, withRooms } from "@/stores/withRooms";
import { atWork, ofApplied } from "@/stores/work";
import { chosenCount, nothing } from "@/topology";
import { Banner, Boundary, Button, EmptyState, ErrorState, IconButton, Panel, Skeleton, useMedia } from "@/ui";
import { CanvasHead, type HeadSlots } from "./CanvasHead";
import { TeamCanvas } from "./TeamCanvas";
import { TrustBar } from "./TrustBar";

const ProblemsPanel = fetched(() => import("./ProblemsPanel").then((m) => m.ProblemsPanel));
const Inspector = fetched(() => import("./inspector/Inspector").then((m) => m.Inspector));
const RefusedWhy = fetched(() => import("./RefusedWhy").then((m) => m.RefusedWhy));

const getSessionWork = () => import("@/stores/sessionWork");
fetchLater(getSessionWork);
const untold: WorkSource = { ...nobodyWorks, known: () => false };

/** Who answers in the sessions of a gateway that runs elsewhere; untold until that part of the page has come. */
function useElsewhere(far: string): WorkSource {
  const [found, setFound] = useState<{ far: string; work: WorkSource }>();
  useEffect(() => {
    if (far)
      void patiently(getSessionWork).then(
        (m) => setFound({ far, work: m.sessionWork(far) }),
        () => undefined,
      );
  }, [far]);
  return !far ? nobodyWorks : found?.far === far ? found.work : untold;
}

export type CanvasSlots = HeadSlots & {
  /** Stands in the side panel while nothing is chosen (the first run's guide). */
  idle?: ReactNode;
  /** Shows what the team asks of this computer. */
  onTrust: (team: string) => void;
  /** Opens a whole team whose text was pasted. */
  openTeam?: (text: string) => void;
  /** Stands at the left of the canvas (the list of agents); resized and folded as "canvas.list". */
  list?: ReactNode;
  /** Stands at the left of the canvas (the routes); resized and folded as "canvas.routes". */
  routes?: (viewOnly: boolean) => ReactNode;
  /** Works out the channels beside the team while they are shown. */
  lane?: (onLane: (lane: Lane | undefined) => void) => ReactNode;
};

export function CanvasScreen({ idle, openTeam, list, routes, lane, onTrust, ...head }: CanvasSlots) {
  const status = useTeam((s) => s.status),
    id = useTeam((s) => s.id);
  const target = useTarget(),
    here = target?.dialect === "local"; // the team at work is the local gateway's
  const far = target && !here ? target.name : "",
    elsewhere = useElsewhere(far);
  const applied = useTeam((s) => s.base?.topology),
    work = useMemo(
      () => withRooms(ofApplied(here ? atWork : elsewhere, applied), roomWorkLater(id)),
      [here, elsewhere, applied, id],
    );
  const painted = useUi((s) => s.painted);
  useEffect(() => {
    const { state, load } = useModels.getState();
    if (here && painted && state === "none") void load();
  }, [here, painted]); // new agents may be given one
  return (
    <>
      <CanvasHead {...head} />
      <Refused />
      <TrustBar onShow={onTrust} />
      {status === "ready" ? (
        <WorkContext value={work}>
          <ReactFlowProvider key={id}>
            <Work idle={idle} openTeam={openTeam} list={list} routes={routes} lane={lane} />
          </ReactFlowProvider>
        </WorkContext>
      ) : (
        <div className="body">
          <div className="canvas grid place-items-center">
            <Waiting />
          </div>
        </div>
      )}
    </>
  );
}

/** Why the hub does not take what was drawn. */
function Refused() {
  const { t } = useTranslation();
  const save = useTeam((s) => s.save),
    gone = useTeam((s) => s.status === "gone"),
    takeBack = useTeam((s) => s.takeBack);
  if (save.state !== "refused" || gone) return null;
  return (
    <Banner
      tone="failed"
      actions={
        <Button size="sm" onClick={() => void takeBack().then((lost) => tellLost(t, lost))}>
          {t("hub.takeBack")}
        </Button>
      }
    >
      <b>{t("hub.refusedTitle")}</b> <Suspense>{save.error && <RefusedWhy error={save.error} />}</Suspense>
    </Banner>
  );
}

type Parts = Pick<CanvasSlots, "idle" | "openTeam" | "list" | "routes" | "lane">;

function Work({ idle, openTeam, list, routes, lane }: Parts) {
  const { t } = useTranslation();
  const wide = useMedia("(min-width: 1200px)"),
    phone = useMedia("(max-width: 639px)");
  const side = usePanel("canvas.side"),
    bottom = usePanel("canvas.bottom"),
    listed = usePanel("canvas.list"),
    routed = usePanel("canvas.routes");
  const setPanel = useUi((s) => s.setPanel),
    choose = useUi((s) => s.choose),
    chosen = useUi((s) => s.chosen);
  const any = chosenCount(chosen) > 0;
  const close = <IconButton icon={X} size="sm" label={t("common.close")} onClick={() => choose(nothing)} />;
  const [writing, setWriting] = useState(false),
    over = useOver(any, writing);
  const shown = wide ? !side.folded : phone ? any : over;
  return (
    <div className="body body--apart relative" style={shown && !wide && !phone ? covers(side.size) : undefined}>
      {list && !listed.folded && !phone && (
        <Panel
          kind="side"
          label={t("agents.title")}
          size={listed.size}
          className="panel--start"
          split={{
            label: t("agents.split"),
            edge: "right",
            size: listed.size,
            min: 320,
            max: 1200,
            onSize: (size) => setPanel("canvas.list", { size }),
            onFold: () => setPanel("canvas.list", { folded: true }),
          }}
        >
          <Suspense fallback={<Skeleton lines={8} label={t("common.loading")} />}>{list}</Suspense>
        </Panel>
      )}
      {routes && !routed.folded && (
        <Panel
          kind="side"
          label={t("canvas.routes.title")}
          size={phone ? undefined : routed.size}
          over={phone}
          className={phone ? "panel--sheet" : "panel--start"}
          split={
            phone
              ? undefined
              : {
                  label: t("canvas.routes.split"),
                  edge: "right",
                  size: routed.size,
                  min: 320,
                  max: 720,
                  onSize: (size) => setPanel("canvas.routes", { size }),
                  onFold: () => setPanel("canvas.routes", { folded: true }),
                }
          }
        >
          <Suspense fallback={<Skeleton lines={8} label={t("common.loading")} />}>{routes(phone)}</Suspense>
        </Panel>
      )}
      <div className="col grow">
        <Boundary>
          <TeamCanvas openTeam={openTeam} lane={lane} onWriting={setWriting} />
        </Boundary>
        {!bottom.folded && !phone && (
          <Panel
            kind="bottom"
            label={t("problems.title")}
            size={bottom.size}
            split={{
              label: t("canvas.split.bottom"),
              edge: "top",
              size: bottom.size,
              min: 96,
              max: 320,
              onSize: (size) => setPanel("canvas.bottom", { size }),
              onFold: () => setPanel("canvas.bottom", { folded: true }),
            }}
          >
            <Suspense fallback={<Skeleton lines={3} label={t("common.loading")} />}>
              <ProblemsPanel onClose={() => setPanel("canvas.bottom", { folded: true })} />
            </Suspense>
          </Panel>
        )}
      </div>
      {shown && (
        <Panel
          kind="side"
          label={t("inspector.label")}
          size={phone ? undefined : side.size}
          over={!wide}
          className={phone ? "panel--sheet" : "panel--apart"}
          split={
            phone
              ? undefined
              : {
                  label: t("canvas.split.side"),
                  edge: "left",
                  size: side.size,
                  min: 280,
                  max: 480,
                  onSize: (size) => setPanel("canvas.side", { size }),
                  onFold: () => setPanel("canvas.side", { folded: true }),
                }
          }
        >
          <Boundary of={chosen}>
            <Suspense fallback={any ? <Skeleton lines={5} label={t("common.loading")} /> : null}>
              {phone ? (
                <div className="col h-full min-h-0">
                  <Inspector viewOnly close={<span className="w-8" />} />
                </div>
              ) : (
                <Inspector idle={idle} close={wide ? undefined : close} />
              )}
            </Suspense>
          </Boundary>
          {phone && <div className="absolute top-2 right-3">{close}</div>}
        </Panel>
      )}
      {wide && side.folded && (
        <FoldedSide label={t("inspector.label")} onOpen={() => setPanel("canvas.side", { folded: false })} />
      )}
    </div>
  );
}

/** How much of the canvas a panel lies over: what stands in its middle makes room. */
const covers = (size: number) => ({ "--over": `calc(${size} * var(--u))` }) as CSSProperties;

/** A panel over the canvas comes after the time of a double click, so that it takes no second click, and stands aside while somebody writes below it. */
function useOver(any: boolean, writing: boolean): boolean {
  const [there, setThere] = useState(any);
  useEffect(() => {
    const timer = setTimeout(() => setThere(any), any ? 250 : 0);
    return () => clearTimeout(timer);
  }, [any]);
  return any && there && !writing;
}

/** A folded panel leaves its edge, so that a click or a double-click brings it back. */
function FoldedSide({ label, onOpen }: { label: string; onOpen: () => void }) {
  return (
    <button
      type="button"
      className="w-2 flex-none border-l border-line bg-surface hover:bg-accent-soft"
      aria-label={label}
      title={label}
      onClick={onOpen}
    />
  );
}

/** The open team is gone from the hub. What was drawn is still in this window and can be kept. */
function Gone() {
  const { t } = useTranslation();
  const { id, name, gateway, topology, open } = useTeam();
  const restore = () =>
    void attempt("open", async () => {
      await teamActions.undelete(id);
      await open(id);
    });
  const save = () => void attempt("open", () => teamActions.create({ name, gateway, topology }));
  return (
    <EmptyState
      icon={Waypoints}
      title={t("canvas.gone")}
      action={
        <span className="row gap-2">
          {topology.agents.length > 0 && <Button onClick={save}>{t("canvas.goneSave")}</Button>}
          <Button tone="main" onClick={restore}>
            {t("canvas.bringBack")}
          </Button>
        </span>
      }
    >
      {t("canvas.goneWhy")}
      <span className="mt-2 block">{t("canvas.goneRestore")}</span>
      {topology.agents.length > 0 && <span className="mt-2 block">{t("canvas.goneNew")}</span>}
    </EmptyState>
  );
}

function Waiting() {
  const { t } = useTranslation();
  const { status, error, id, open } = useTeam();
  if (status === "loading")
    return (
      <div className="w-80">
        <Skeleton lines={4} label={t("canvas.loading")} />
      </div>
    );
  if (status === "gone") return <Gone />;
  if (status === "failed") {
    return (
      <div className="w-100 max-w-full p-3">
        <ErrorState
          title={t("canvas.failed")}
          actions={
            <Button size="sm" onClick={() => void open(id)}>
              {t("common.retry")}
            </Button>
          }
        >
          {error && errorMeaning(t, error)}
        </ErrorState>
      </div>
    );
  }
  return (
    <EmptyState
      icon={FilePlus2}
      title={t("canvas.noTeam")}
      action={
        <Button tone="main" onClick={() => void attempt("create", () => teamActions.create({}))}>
          {t("canvas.newTeam")}
        </Button>
      }
    >
      {t("canvas.noTeamWhy")}
    </EmptyState>
  );
}
