import {
  ChevronDown,
  Columns3,
  Download,
  Ellipsis,
  History,
  ListTree,
  Pencil,
  Plus,
  Redo2,
  Share2,
  SquareChartGantt,
  Trash2,
  Undo2,
} from "lucide-react";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { attempt } from "@/stores/faults";
import { useHub } from "@/stores/hub";
import { closeHistory, openHistory, usePlanHistory } from "@/stores/planHistory";
import { showPlan } from "@/stores/planPlace";
import { planActions, planLibrary, saveBytes, setPlanView, usePlan, type PlanView } from "@/stores/plans";
import type { PlanWhole } from "@/topology";
import {
  Button,
  Dialog,
  Field,
  IconButton,
  Input,
  isEnter,
  keyLabel,
  keysOf,
  Menu,
  ScreenHead,
  Segmented,
  toast,
  Marked,
  marked,
} from "@/ui";
import { addTask } from "./AddTask";
import { recoverPlan } from "./recover";
import { RunButton } from "./RunDialog";

const icons = { tree: ListTree, board: Columns3, graph: Share2, timeline: SquareChartGantt } as const;

/** Which plan, in which view, and what can be done with it as a whole. */
export function PlanHead({
  whole,
  lead,
  phone,
  still,
}: {
  whole?: PlanWhole;
  lead: ReactNode;
  phone: boolean;
  /** A proposal is looked at. */ still: boolean;
}) {
  const { t } = useTranslation();
  const view = usePlan((s) => s.view),
    busy = usePlan((s) => s.busy);
  const views = (Object.keys(icons) as PlanView[]).map((value) => {
    const Icon = icons[value];
    return { value, label: t(`plan.view.${value}`), icon: <Icon size={14} aria-hidden /> };
  });
  return (
    <ScreenHead>
      {!phone && <h1>{t("screen.tasks")}</h1>}
      {(!phone || !whole) && lead}
      {whole && <Chooser whole={whole} />}
      {whole && phone && (
        <Menu
          trigger={<IconButton icon={icons[view]} label={`${t("plan.view.label")}: ${t(`plan.view.${view}`)}`} />}
          items={views.map(({ value, label }) => ({
            label,
            checked: value === view,
            onSelect: () => setPlanView(value),
          }))}
        />
      )}
      {whole && !phone && (
        <Segmented size="sm" label={t("plan.view.label")} value={view} options={views} onValue={setPlanView} />
      )}
      {whole && !phone && (
        <span className="cap num cut" aria-live="polite">
          {t("plan.share_", { done: whole.done, all: whole.tasks })}
        </span>
      )}
      <span className="grow" />
      {whole && !phone && (
        <IconButton
          icon={Undo2}
          label={`${whole.undoLabel ? t("plan.undo", { what: whole.undoLabel }) : t("common.undo")} ${keyLabel(keysOf("undoPlan"))}`}
          disabled={!whole.canUndo || busy}
          onClick={() => void planActions.undo()}
        />
      )}
      {whole && !phone && (
        <IconButton
          icon={Redo2}
          label={`${t("common.redo")} ${keyLabel(keysOf("redoPlan"))}`}
          disabled={!whole.canRedo || busy}
          onClick={() => void planActions.redo()}
        />
      )}
      {whole && !phone && <HistoryButton plan={whole.id} />}
      {whole && <RunButton whole={whole} phone={phone} still={still} />}
      {whole && <More whole={whole} phone={phone} />}
      {whole && !phone && (
        <Button icon={Plus} disabled={still} onClick={() => addTask(t)}>
          {t("plan.addTask")}
        </Button>
      )}
    </ScreenHead>
  );
}

function HistoryButton({ plan }: { plan: string }) {
  const { t } = useTranslation();
  const open = usePlanHistory((s) => s.open && s.plan === plan);
  return (
    <IconButton
      icon={History}
      label={t("plan.history.title")}
      pressed={open}
      onClick={() => (open ? closeHistory() : openHistory(plan))}
    />
  );
}

function Chooser({ whole }: { whole: PlanWhole }) {
  const { t } = useTranslation();
  const plans = useHub((s) => s.plans);
  return (
    <Menu
      trigger={
        <button
          type="button"
          className="btn btn--quiet plan-chooser"
          aria-label={t("plan.choose", { name: marked(whole.name) })}
        >
          <span className="cut">
            <Marked text={whole.name} />
          </span>
          <ChevronDown size={14} aria-hidden />
        </button>
      }
      items={[
        ...plans
          .slice(0, 12)
          .map((p) => ({ label: marked(p.name), checked: p.id === whole.id, onSelect: () => showPlan(p.id) })),
        { kind: "separator" as const },
        { label: t("plan.new"), icon: Plus, onSelect: () => showPlan("") },
      ]}
    />
  );
}

function More({ whole, phone }: { whole: PlanWhole; phone: boolean }) {
  const { t } = useTranslation();
  const [name, setName] = useState<string>(),
    [asking, setAsking] = useState(false);
  const rename = async () => {
    const next = name?.trim();
    setName(undefined);
    if (next && next !== whole.name) await attempt("planRename", () => planLibrary.rename(whole.id, next));
  };
  const recover = () => void recoverPlan(whole.id);
  const remove = () => {
    setAsking(false);
    void attempt("planDelete", async () => {
      await planLibrary.remove(whole.id);
      showPlan("");
      toast({
        tone: "info",
        text: t("plan.planDeleted", { name: marked(whole.name) }),
        closeLabel: t("common.close"),
        action: { label: t("common.undo"), run: recover },
      });
    });
  };
  return (
    <>
      <Menu
        align="end"
        trigger={<IconButton icon={Ellipsis} label={t("common.more")} />}
        items={[
          {
            label: t("plan.addTask"),
            icon: Plus,
            onSelect: () => addTask(t),
          },
          ...(phone
            ? [
                {
                  label: t("common.undo"),
                  icon: Undo2,
                  disabled: !whole.canUndo,
                  onSelect: () => void planActions.undo(),
                },
                {
                  label: t("common.redo"),
                  icon: Redo2,
                  disabled: !whole.canRedo,
                  onSelect: () => void planActions.redo(),
                },
                { label: t("plan.history.title"), icon: History, onSelect: () => openHistory(whole.id) },
              ]
            : []),
          { kind: "separator" },
          { label: t("common.rename"), icon: Pencil, takesFocus: true, onSelect: () => setName(whole.name) },
          {
            label: t("plan.export"),
            icon: Download,
            onSelect: () =>
              void attempt("export", async () => saveBytes("plan.json", await planLibrary.file(whole.id))),
          },
          { kind: "separator" },
          { label: t("plan.delete"), icon: Trash2, danger: true, takesFocus: true, onSelect: () => setAsking(true) },
        ]}
      />
      <Dialog
        open={asking}
        onOpen={setAsking}
        title={t("plan.deleteTitle", { name: marked(whole.name) })}
        footer={
          <>
            <Button onClick={() => setAsking(false)}>{t("common.cancel")}</Button>
            <Button tone="danger" onClick={remove}>
              {t("plan.delete")}
            </Button>
          </>
        }
      >
        <p>{t("plan.deleteWhy")}</p>
      </Dialog>
      <Dialog
        open={name !== undefined}
        onOpen={() => setName(undefined)}
        title={t("plan.rename")}
        footer={
          <>
            <Button onClick={() => setName(undefined)}>{t("common.cancel")}</Button>
            <Button tone="main" onClick={() => void rename()}>
              {t("common.rename")}
            </Button>
          </>
        }
      >
        <Field label={t("plan.name")}>
          {(ids) => (
            <Input
              {...ids}
              autoFocus
              value={name ?? ""}
              onText={setName}
              maxLength={120}
              onKeyDown={(e) => {
                if (isEnter(e)) void rename();
              }}
            />
          )}
        </Field>
      </Dialog>
    </>
  );
}
