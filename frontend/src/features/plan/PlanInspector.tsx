import {
  ArrowDown,
  ArrowUp,
  CircleCheck,
  Circle,
  CornerDownRight,
  Ellipsis,
  IndentDecrease,
  IndentIncrease,
  Trash2,
  X,
} from "lucide-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { PlanItem, PlanModel } from "@/stores/planTree";
import { choosePlanTask, planActions, usePlan } from "@/stores/plans";
import type { PlanOperation, PlanProgress } from "@/topology";
import { Field, IconButton, Input, keysOf, Marked, marked, Menu, Select, StatusBadge, Textarea } from "@/ui";
import { addTask } from "./AddTask";
import { Attempts } from "./Attempts";
import { DependencyField } from "./DependencyField";
import { dropOperations, stepOf } from "./moves";
import { removeTask } from "./remove";
import { useField, type Commit } from "./useField";
import { byHand, efforts, isByHand, isLeaf, lines, short, toneOf } from "./words";

type Props = {
  model: PlanModel;
  item: PlanItem;
  progress?: PlanProgress;
  /** A proposal is looked at: nothing is changed. */ still: boolean;
};

type Change = Omit<PlanOperation, "op" | "task_id">;

/** One task, to be read and changed. */
export function PlanInspector({ model, item, progress, still }: Props) {
  const { t } = useTranslation();
  const { task } = item,
    title = short(task.title);
  const added = usePlan((s) => s.added === item.id);
  // Its worker wouldn't learn of a change.
  const runs = usePlan((s) => s.whole?.work?.state === "working") && isLeaf(item) && item.standing === "running";
  useEffect(() => {
    if (!added) return;
    const field = document.getElementById("plan-title") as HTMLInputElement | null;
    field?.focus();
    field?.select();
    usePlan.setState({ added: undefined });
  }, [added]);
  const set = (change: Change) =>
    planActions.edit([{ op: "update", task_id: item.id, ...change }], t("plan.did.change", { title }));
  return (
    <>
      <div className="head">
        <h2 className="cut grow" title={marked(task.title)}>
          <Marked text={task.title || t("plan.untitled")} />
        </h2>
        {!still && <Tools model={model} item={item} />}
        <IconButton icon={X} label={t("common.close")} onClick={() => choosePlanTask("")} />
      </div>
      <div className="scroll pad col gap-3" tabIndex={0} role="group" aria-label={t("tasks.tab.details")}>
        {item.change && <Differences model={model} item={item} />}
        {progress && (progress.attempts?.length || progress.error) ? (
          <Attempts
            item={item}
            progress={progress}
            onRetry={
              item.standing === "failed" && isLeaf(item) ? () => void planActions.retryTasks([item.id]) : undefined
            }
          />
        ) : null}
        {runs && <p className="hint m-0">{t("plan.runsNow")}</p>}
        <fieldset className="plan-fields" disabled={still}>
          <Line
            id="plan-title"
            still={still || runs}
            label={t("plan.field.title")}
            value={task.title}
            onCommit={(text) => set({ title: text })}
          />
          <Lines
            label={t("plan.field.description")}
            still={runs}
            value={task.description}
            rows={3}
            onCommit={(description) => set({ description })}
          />
          <StatusField item={item} progress={progress} still={still} />
          <Criteria
            value={task.acceptance_criteria}
            passed={progress?.passed ?? []}
            all={item.standing === "done"}
            onCommit={(acceptance_criteria) => set({ acceptance_criteria })}
            still={still || runs}
          />
          <DependencyField
            model={model}
            item={item}
            still={still}
            onDependencies={(dependencies) => void set({ dependencies })}
          />
          <Field label={t("plan.field.effort")}>
            {(ids) => (
              <Select
                {...ids}
                disabled={still}
                value={task.estimated_effort ?? ""}
                placeholder={t("common.none")}
                onValue={(estimated_effort) => void set({ estimated_effort })}
                options={efforts.map((value) => ({ value: value, label: t(`plan.effort.${value}`) }))}
              />
            )}
          </Field>
          <Line
            still={still}
            label={t("plan.field.phase")}
            value={task.phase_name}
            onCommit={(phase_name) => set({ phase_name })}
          />
          <Line
            still={still}
            label={t("plan.field.milestone")}
            value={task.milestone}
            onCommit={(milestone) => set({ milestone })}
          />
          <Lines
            label={t("plan.field.files")}
            hint={t("plan.field.filesHint")}
            mono
            still={runs}
            value={(task.suggested_impl?.file_paths ?? []).join("\n")}
            rows={1}
            onCommit={(text) => set({ suggested_impl: { ...task.suggested_impl, file_paths: lines(text) } })}
          />
        </fieldset>
      </div>
    </>
  );
}

function Tools({ model, item }: { model: PlanModel; item: PlanItem }) {
  const { t } = useTranslation();
  const title = short(item.task.title);
  const move = (step: "up" | "down" | "in" | "out") => {
    const to = stepOf(model, item.id, step);
    return {
      disabled: !to,
      onSelect: () => {
        if (to) void planActions.edit(dropOperations(model, item.id, to), t("plan.did.move", { title }));
      },
    };
  };
  const add = (at: Partial<PlanOperation>) => () =>
    addTask(t, { phase_name: item.task.phase_name, milestone: item.task.milestone, ...at });
  return (
    <Menu
      align="end"
      trigger={<IconButton icon={Ellipsis} label={t("common.more")} />}
      items={[
        {
          label: t("plan.addAfter"),
          icon: ArrowDown,
          onSelect: add({ parent_id: item.parent, position: { after: item.id } }),
        },
        { label: t("plan.addBelow"), icon: CornerDownRight, onSelect: add({ parent_id: item.id }) },
        { kind: "separator" },
        { label: t("plan.move.up"), icon: ArrowUp, keys: keysOf("moveTask"), ...move("up") },
        { label: t("plan.move.down"), icon: ArrowDown, keys: keysOf("moveTask", 1), ...move("down") },
        { label: t("plan.move.in"), icon: IndentIncrease, keys: keysOf("moveTask", 2), ...move("in") },
        { label: t("plan.move.out"), icon: IndentDecrease, keys: keysOf("moveTask", 3), ...move("out") },
        { kind: "separator" },
        {
          label: t(item.children.length ? "plan.deleteOne" : "common.delete"),
          icon: Trash2,
          danger: true,
          keys: keysOf("deleteTask"),
          onSelect: () => removeTask(t, item),
        },
        ...(item.children.length
          ? [{ label: t("plan.deleteAll"), icon: Trash2, danger: true, onSelect: () => removeTask(t, item, true) }]
          : []),
      ]}
    />
  );
}

function Line({
  id,
  still,
  label,
  value,
  onCommit,
}: {
  id?: string;
  still: boolean;
  label: string;
  value: string;
  onCommit: Commit;
}) {
  const { t } = useTranslation();
  const { unsaved, ...field } = useField(value, (text) => onCommit(text.trim()));
  return (
    <Field label={label} warning={unsaved && t("plan.unsaved")}>
      {(ids) => <Input {...ids} {...(id && { id })} {...field} disabled={still && !unsaved} aria-label={label} />}
    </Field>
  );
}

function Lines({
  label,
  hint,
  value,
  rows,
  mono,
  still,
  onCommit,
}: {
  label: string;
  hint?: string;
  value: string;
  rows: number;
  mono?: boolean;
  still?: boolean;
  onCommit: Commit;
}) {
  const { t } = useTranslation();
  const { unsaved, ...field } = useField(value, onCommit, true);
  return (
    <Field label={label} hint={hint} warning={unsaved && t("plan.unsaved")}>
      {(ids) => (
        <Textarea
          {...ids}
          {...field}
          disabled={still && !unsaved}
          aria-label={label}
          rows={rows}
          grow={240}
          mono={mono}
        />
      )}
    </Field>
  );
}

function StatusField({ item, progress, still }: { item: PlanItem; progress?: PlanProgress; still: boolean }) {
  const { t } = useTranslation();
  const { standing } = item,
    word = t(`plan.standing.${standing}`);
  if (!isLeaf(item) || progress || !isByHand(standing)) {
    return (
      <Field
        label={t("plan.field.status")}
        hint={isLeaf(item) ? undefined : t("plan.field.statusOf", { done: item.done, all: item.leaves })}
      >
        {() => (
          <span>
            <StatusBadge status={toneOf[standing]}>{word}</StatusBadge>
          </span>
        )}
      </Field>
    );
  }
  const set = (to: keyof typeof byHand) =>
    void planActions.status(
      item.id,
      byHand[to],
      t("plan.did.status", { title: short(item.task.title), status: t(`plan.standing.${to}`) }),
    );
  return (
    <Field label={t("plan.field.status")}>
      {(ids) => (
        <Select
          {...ids}
          disabled={still}
          value={standing}
          onValue={set}
          options={(Object.keys(byHand) as (keyof typeof byHand)[]).map((value) => ({
            value,
            label: t(`plan.standing.${value}`),
          }))}
        />
      )}
    </Field>
  );
}

function Criteria({
  value,
  passed,
  all,
  onCommit,
  still,
}: {
  value: string[];
  passed: number[];
  all: boolean;
  onCommit: (list: string[]) => Promise<boolean>;
  still: boolean;
}) {
  const { t } = useTranslation();
  const ticked = (i: number) => all || passed.includes(i);
  return (
    <div className="col gap-2">
      <Lines
        label={t("plan.field.criteria")}
        hint={still ? undefined : t("plan.field.criteriaHint")}
        still={still}
        value={value.join("\n")}
        rows={2}
        onCommit={(text) => onCommit(lines(text))}
      />
      {(passed.length > 0 || all) && value.length > 0 && (
        <ul className="plan-criteria" aria-label={t("plan.field.criteria")}>
          {value.map((c, i) => {
            const Icon = ticked(i) ? CircleCheck : Circle;
            return (
              <li key={i} className="row gap-2">
                <Icon
                  size={14}
                  className={ticked(i) ? "s-done sc flex-none" : "t3 flex-none"}
                  aria-label={t(ticked(i) ? "plan.holds" : "plan.open")}
                />
                <span>{c}</span>
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}

/** What a proposal would change in the task, field by field. */
function Differences({ model, item }: { model: PlanModel; item: PlanItem }) {
  const { t } = useTranslation();
  const change = item.change!;
  const word = (v: unknown): string =>
    Array.isArray(v)
      ? v.map((x) => model.items.get(String(x))?.task.title ?? String(x)).join(", ")
      : typeof v === "string" || typeof v === "number"
        ? String(v)
        : v
          ? JSON.stringify(v)
          : "";
  return (
    <dl className="plan-diff">
      {(change.added || change.removed || change.moved) && (
        <dt className="plan-diff-whole">
          {[
            change.added && t("plan.mark.add"),
            change.removed && t("plan.mark.del"),
            change.moved && t("plan.mark.mov"),
          ]
            .filter(Boolean)
            .join(" · ")}
        </dt>
      )}
      {change.fields?.map((f) => (
        <div key={f.name}>
          <dt>{t(`plan.differs.${f.name}`)}</dt>
          {word(f.before) && (
            <dd className="plan-was">
              <del>{word(f.before)}</del>
            </dd>
          )}
          <dd className="plan-is">
            <ins>{word(f.after) || t("common.none")}</ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}
