import { ListTree, Search, X } from "lucide-react";
import { Suspense, useEffect, useMemo, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { errorMeaning } from "@/i18n/problem";
import { begin } from "@/stores/begun";
import { attempt } from "@/stores/faults";
import { showPlan, useShownPlan } from "@/stores/planPlace";
import { fetched } from "@/stores/fetched";
import { closeHistory, usePlanHistory } from "@/stores/planHistory";
import { modelOf, type PlanModel } from "@/stores/planTree";
import { filterPlan, followPlan, planActions, planLibrary, readPlan, usePlan } from "@/stores/plans";
import { usePanel, useUi } from "@/stores/ui";
import type { PlanWhole } from "@/topology";
import {
  Boundary,
  Button,
  EmptyState,
  ErrorState,
  IconButton,
  Input,
  Panel,
  Segmented,
  Select,
  Skeleton,
  useMedia,
  useShortcuts,
} from "@/ui";
import { addTask, AddTaskDialog } from "./AddTask";
import { NewPlan } from "./NewPlan";
import { PlanBoard } from "./PlanBoard";
import { PlanHead } from "./PlanHead";
import { PlanInspector } from "./PlanInspector";
import { PlanTree } from "./PlanTree";
import { endedLast } from "./ended";
import { AskingBar, EndedBar, ProposalBar } from "./ProposalBar";
import { recoverPlan } from "./recover";
import { standings } from "./words";
import { GoalForm, goalKey } from "./GoalForm";
import { VersionBar } from "./VersionBar";
import { WorkBar } from "./WorkBar";
import "./plan.css";

const PlanGraph = fetched(() => import("./graph/PlanGraph").then((m) => m.PlanGraph));
const HistoryPanel = fetched(() => import("./HistoryPanel").then((m) => m.HistoryPanel));
const PlanTimeline = fetched(() => import("./timeline/PlanTimeline").then((m) => m.PlanTimeline));

type Props = { /** The way to the other kind of task. */ lead: ReactNode; onModels: () => void };

/** Plans: what is to be done, as a tree or by how it stands, and what is proposed for it. */
export function PlanScreen({ lead, onModels }: Props) {
  const { t } = useTranslation();
  const id = useShownPlan(),
    phone = useMedia("(max-width: 639px)");
  const whole = usePlan((s) => (s.id === id ? s.whole : undefined)),
    error = usePlan((s) => (s.id === id ? s.error : undefined)),
    adding = usePlan((s) => s.adding);
  useEffect(() => (id ? followPlan(id) : undefined), [id]);
  useEffect(() => closeHistory, [id]);
  useUndoKeys();
  const body = !id ? (
    <NewPlan onModels={onModels} />
  ) : whole ? (
    <Work whole={whole} phone={phone} lead={lead} onModels={onModels} />
  ) : !error ? (
    <Skeleton lines={8} label={t("common.loading")} />
  ) : error.code === "NOT_FOUND" ? (
    <div className="grid flex-1 place-items-center">
      <EmptyState
        icon={ListTree}
        title={t("plan.gone")}
        action={<Button onClick={() => showPlan("")}>{t("plan.toPlans")}</Button>}
      >
        {t("plan.goneWhy")}
      </EmptyState>
    </div>
  ) : (
    <div className="pad">
      <ErrorState
        title={t("plan.unread")}
        actions={
          <Button size="sm" onClick={() => void readPlan()}>
            {t("common.retry")}
          </Button>
        }
      >
        {errorMeaning(t, error)}
      </ErrorState>
    </div>
  );
  return whole && id ? (
    <>
      {body}
      {adding && <AddTaskDialog plan={id} at={adding} />}
    </>
  ) : (
    <>
      <PlanHead lead={lead} phone={phone} still />
      {body}
    </>
  );
}

function Work({
  whole,
  phone,
  lead,
  onModels,
}: {
  whole: PlanWhole;
  phone: boolean;
  lead: ReactNode;
  onModels: () => void;
}) {
  const { t } = useTranslation();
  const chosen = usePlan((s) => s.chosen);
  const wide = useMedia("(min-width: 1200px)"); // else there is room for the versions or for the task
  const [plain, setPlain] = useState(false),
    [again, setAgain] = useState(0);
  const waiting = whole.proposals.filter((p) => p.state === "waiting"),
    proposal = waiting[0];
  const history = usePlanHistory((s) => s.open && s.plan === whole.id),
    looked = usePlanHistory((s) => s.plan === whole.id && s.number > 0),
    version = usePlanHistory((s) => (s.plan === whole.id ? s.shown : undefined));
  const { plan } = whole,
    after = looked ? version?.plan : plain ? undefined : proposal?.after,
    changes = looked ? version?.changes : proposal?.changes;
  const model = useMemo(() => modelOf(plan, after && changes ? { after, changes } : undefined), [plan, after, changes]);
  const item = model.items.get(chosen),
    still = !!after || looked,
    last = whole.proposals.at(-1);
  const ended = endedLast(whole);
  const writeAgain = () => {
    begin(goalKey(whole.id), last?.request ?? "");
    setAgain(again + 1);
    requestAnimationFrame(() => document.querySelector<HTMLElement>(".plan-goal textarea")?.focus());
  };
  const inspector = item && (
    <PlanInspector key={item.id} model={model} item={item} progress={whole.progress[item.id]} still={still} />
  );
  if (phone && history && !looked)
    return (
      <div className="plan-sheet">
        <HistoryPanel whole={whole} />
      </div>
    );
  if (phone && inspector) return <div className="plan-sheet">{inspector}</div>;
  return (
    <>
      <PlanHead whole={whole} lead={lead} phone={phone} still={still} />
      <WorkBar whole={whole} model={model} />
      {whole.asking && <AskingBar asking={whole.asking} />}
      {looked && <VersionBar whole={whole} />}
      {proposal && !looked && <ProposalBar key={proposal.id} proposal={proposal} at={1} all={waiting.length} />}
      {ended && !looked && (
        <EndedBar
          proposal={ended}
          onAgain={() => attempt("planEdit", () => planLibrary.ask(whole.id, last?.request ?? ""))}
          onEdit={writeAgain}
          onModels={onModels}
        />
      )}
      <div className="body">
        {history && !phone && <HistorySide whole={whole} />}
        <section className="plan-work" aria-label={whole.name}>
          {model.items.size > 0 && (
            <Filters compare={proposal?.after && !looked ? { plain, onPlain: setPlain } : undefined} />
          )}
          {model.items.size === 0 ? (
            <Nothing whole={whole} />
          ) : (
            <Boundary>
              <Suspense
                fallback={
                  <div className="flex-1">
                    <Skeleton lines={8} label={t("common.loading")} />
                  </div>
                }
              >
                <View whole={whole} model={model} still={still} />
              </Suspense>
            </Boundary>
          )}
          <GoalForm
            key={again}
            of={whole.id}
            label={t("plan.changeIt")}
            placeholder={t(whole.tasks ? "plan.change" : "plan.goal")}
            send={t(whole.tasks ? "plan.propose" : "plan.breakDown")}
            disabled={!!whole.asking}
            onModels={onModels}
            onSend={(text) => planLibrary.ask(whole.id, text)}
          />
        </section>
        {!phone && inspector && (wide || !history) && (
          <Side label={item.task.title || t("plan.untitled")}>{inspector}</Side>
        )}
      </div>
    </>
  );
}

function View({ whole, model, still }: { whole: PlanWhole; model: PlanModel; still: boolean }) {
  const view = usePlan((s) => s.view);
  switch (view) {
    case "board":
      return <PlanBoard model={model} progress={whole.progress} still={still} />;
    case "graph":
      return <PlanGraph key={whole.id} model={model} still={still} />;
    case "timeline":
      return <PlanTimeline model={model} whole={whole} />;
    case "tree":
      return <PlanTree model={model} still={still} />;
  }
}

function HistorySide({ whole }: { whole: PlanWhole }) {
  const { t } = useTranslation();
  const panel = usePanel("plan.history"),
    setPanel = useUi((s) => s.setPanel);
  return (
    <Panel
      kind="side"
      label={t("plan.history.title")}
      size={panel.size}
      className="panel--start"
      split={{
        label: t("plan.history.split"),
        edge: "right",
        size: panel.size,
        min: 216,
        max: 400,
        onSize: (size) => setPanel("plan.history", { size }),
        onFold: closeHistory,
      }}
    >
      <Suspense fallback={<Skeleton lines={6} label={t("common.loading")} />}>
        <HistoryPanel whole={whole} />
      </Suspense>
    </Panel>
  );
}

function Side({ label, children }: { label: string; children: ReactNode }) {
  const { t } = useTranslation();
  const panel = usePanel("plan.side"),
    setPanel = useUi((s) => s.setPanel);
  return (
    <Panel
      kind="side"
      label={label}
      size={panel.size}
      split={{
        label: t("plan.split"),
        edge: "left",
        size: panel.size,
        min: 280,
        max: 520,
        onSize: (size) => setPanel("plan.side", { size }),
        onFold: () => setPanel("plan.side", { size: 340 }),
      }}
    >
      {children}
    </Panel>
  );
}

function Nothing({ whole }: { whole: PlanWhole }) {
  const { t } = useTranslation();
  if (whole.asking)
    return (
      <div className="flex-1">
        <Skeleton lines={7} label={t("plan.asking")} />
      </div>
    );
  return (
    <div className="grid flex-1 place-items-center p-4">
      <EmptyState
        icon={ListTree}
        title={t("plan.noTasks")}
        action={<Button onClick={() => addTask(t)}>{t("plan.addTask")}</Button>}
      >
        {t("plan.noTasksWhy")}
      </EmptyState>
    </div>
  );
}

function Filters({ compare }: { compare?: { plain: boolean; onPlain: (on: boolean) => void } }) {
  const { t } = useTranslation();
  const filter = usePlan((s) => s.filter);
  return (
    <div className="plan-filters">
      <Input
        size="sm"
        icon={Search}
        className="plan-words"
        value={filter.words}
        placeholder={t("plan.find")}
        aria-label={t("plan.find")}
        onText={(words) => filterPlan({ words })}
        after={
          filter.words ? (
            <IconButton icon={X} size="sm" label={t("plan.clear")} onClick={() => filterPlan({ words: "" })} />
          ) : undefined
        }
      />
      <Select
        size="sm"
        className="plan-facet"
        label={t("plan.byStatus")}
        value={filter.standing || "all"}
        onValue={(v) => filterPlan({ standing: v === "all" ? "" : v })}
        options={[
          { value: "all" as const, label: t("plan.everyStatus") },
          ...standings.map((value) => ({ value, label: t(`plan.standing.${value}`) })),
        ]}
      />
      {compare && (
        <Segmented
          size="sm"
          label={t("plan.compare")}
          value={compare.plain ? "now" : "proposed"}
          onValue={(v) => compare.onPlain(v === "now")}
          options={[
            { value: "proposed", label: t("plan.asProposed") },
            { value: "now", label: t("plan.asNow") },
          ]}
        />
      )}
    </div>
  );
}

/** Undo and redo by keyboard, wherever nobody types. */
function useUndoKeys(): void {
  const does = (can: "canUndo" | "canRedo", run: () => unknown) => () => {
    const { whole, deleted } = usePlan.getState();
    if (!whole && deleted && can === "canUndo") void recoverPlan(deleted);
    else if (!whole) return false;
    else if (whole[can]) void run();
  };
  useShortcuts("plan", {
    undoPlan: does("canUndo", planActions.undo),
    redoPlan: does("canRedo", planActions.redo),
  });
}
