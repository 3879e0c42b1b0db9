import { CircleCheck, Columns2, Server, Waypoints, X } from "lucide-react";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { EVERYONE_NODE, MarkLegend, ReadOnlyCanvas } from "@/flow";
import { gatewayName } from "@/i18n/gateway";
import { errorMeaning } from "@/i18n/problem";
import { useTeam } from "@/stores/team";
import { useGateways } from "@/stores/gateways";
import { useUi } from "@/stores/ui";
import { chosenOf, isOfEveryone, marksIn, marksOf, withRemoved, type Drift } from "@/topology";
import {
  Boundary,
  Button,
  Chip,
  ColorSquare,
  EmptyState,
  ErrorState,
  IconButton,
  Panel,
  ScreenHead,
  Segmented,
  Select,
  Skeleton,
  TextDiff,
  useMedia,
} from "@/ui";
import { DriftFoot } from "./DriftFoot";
import { DriftList } from "./DriftList";
import { useDrift } from "./useDrift";

type View = "list" | "canvas" | "text";
const back = () => useUi.getState().go("canvas");

/** What a gateway runs now beside what is drawn, and the two ways out. */
export function DriftScreen() {
  const { t } = useTranslation();
  const own = useTeam((s) => s.gateway),
    name = useTeam((s) => s.name);
  const gateways = useGateways(),
    phone = useMedia("(max-width: 639px)");
  const [picked, setPicked] = useState<string>();
  const [view, setView] = useState<View>("canvas");
  const gateway = picked ?? own;
  const { drift, error, retry } = useDrift(gateway);
  const shown = phone && view === "canvas" ? "canvas" : view;
  const views: View[] = phone ? ["list", "canvas", "text"] : ["canvas", "text"];
  return (
    <>
      <ScreenHead rows>
        <IconButton icon={X} label={t("review.back")} onClick={back} />
        <h1>{t(phone ? "drift.short" : "drift.title")}</h1>
        {!phone && <span className="cap cut">{name}</span>}
        {gateways.length > 1 ? (
          <Select
            size="sm"
            className="w-auto! max-w-44"
            label={t("drift.gateway")}
            value={gateway}
            onValue={setPicked}
            options={gateways.map((g) => ({
              value: g.name,
              label: gatewayName(t, g.name),
              icon: <ColorSquare color={g.color} />,
            }))}
          />
        ) : (
          !phone && (
            <Chip>
              <ColorSquare color={gateways[0]?.color ?? 1} />
              {gatewayName(t, gateway)}
            </Chip>
          )
        )}
        <span className="grow" />
        <Segmented
          size={phone ? undefined : "sm"}
          label={t("review.view")}
          value={shown}
          onValue={setView}
          options={views.map((value) => ({
            value,
            label: t(`review.views.${value}`),
            icon: phone ? undefined : value === "canvas" ? (
              <Waypoints size={12} aria-hidden />
            ) : (
              <Columns2 size={12} aria-hidden />
            ),
          }))}
        />
      </ScreenHead>
      <div className="body">
        {error ? (
          <div className="canvas grid place-items-center p-3">
            <div className="w-120 max-w-full">
              <ErrorState
                title={t("drift.failed", { gateway: gatewayName(t, gateway) })}
                actions={
                  <Button size="sm" onClick={retry}>
                    {t("common.retry")}
                  </Button>
                }
              >
                {errorMeaning(t, error)}
              </ErrorState>
            </div>
          </div>
        ) : !drift ? (
          <div className="grow">
            <Skeleton lines={6} label={t("review.loading")} />
          </div>
        ) : (
          <Shown key={gateway} drift={drift} view={shown} phone={phone} own={gateway === own} />
        )}
      </div>
    </>
  );
}

function Shown({ drift, view, phone, own }: { drift: Drift; view: View; phone: boolean; own: boolean }) {
  const { t } = useTranslation();
  const faces = useTeam((s) => s.faces);
  const [at, setAt] = useState<string>();
  const picture = useMemo(() => withRemoved(drift.held, drift.drawn, drift.changes), [drift]);
  const marks = useMemo(() => marksOf(drift.changes), [drift]);
  const change = drift.changes.find((c) => c.id === at);
  const chosen = useMemo(
    () =>
      chosenOf({
        agents: change?.agent && change.subject === "agent" ? [change.agent] : [],
        everyone: change && isOfEveryone(change) ? true : undefined,
      }),
    [change],
  );
  const reveal = useMemo(
    () =>
      change && isOfEveryone(change) ? [EVERYONE_NODE] : [change?.agent, change?.target].filter((x) => x !== undefined),
    [change],
  );
  const labels = useMemo(
    () => ({
      before: t("drift.drawn"),
      after: t("drift.held"),
      both: t("review.text.label"),
      same: t("review.text.same"),
    }),
    [t],
  );
  if (!drift.changes.length) {
    return (
      <div className="col grow">
        <div className="canvas grid place-items-center p-3">
          <EmptyState
            icon={CircleCheck}
            title={t("drift.same")}
            action={
              <Button tone="main" onClick={back}>
                {t("apply.back")}
              </Button>
            }
          >
            {t("drift.sameWhy")}
          </EmptyState>
        </div>
      </div>
    );
  }
  const list = <DriftList drift={drift} at={at} onShow={setAt} />;
  return (
    <>
      {!phone && (
        <Panel kind="list" label={t("drift.list")} size={304}>
          {list}
        </Panel>
      )}
      <div className="col grow">
        <Boundary of={view}>
          {view === "list" ? (
            <div className="col grow min-h-0 bg-chrome">{list}</div>
          ) : view === "canvas" ? (
            <ReadOnlyCanvas
              topology={picture}
              marks={marks}
              faces={faces}
              label={t("drift.canvas")}
              chosen={chosen}
              reveal={reveal}
              onAgent={(id) => setAt(drift.changes.find((c) => c.agent === id)?.id)}
              onEveryone={() => setAt(drift.changes.find(isOfEveryone)?.id)}
            >
              <div className="float top-3 left-3 gap-2! px-2.5! py-1! cap">
                <Server size={12} aria-hidden />
                {t("drift.picture")}
              </div>
              {!phone && <MarkLegend marks={marksIn(drift.changes)} />}
            </ReadOnlyCanvas>
          ) : (
            <>
              <div className="review-bar cap">
                <span className="cut">{t("drift.drawn")}</span>
                <span aria-hidden>→</span>
                <span className="cut">{t("drift.held")}</span>
              </div>
              <TextDiff
                before={drift.before}
                after={drift.after}
                language={drift.language}
                mode={phone ? "unified" : "split"}
                labels={labels}
                loading={<Skeleton lines={4} label={t("common.loading")} />}
                failed={
                  <div className="p-3">
                    <ErrorState title={t("review.text.failed")}>{t("review.text.failedWhy")}</ErrorState>
                  </div>
                }
              />
            </>
          )}
        </Boundary>
        <DriftFoot drift={drift} own={own} />
      </div>
    </>
  );
}
