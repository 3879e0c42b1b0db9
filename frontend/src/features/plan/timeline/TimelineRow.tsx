import { ChevronDown, ChevronRight } from "lucide-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { formatWhen } from "@/i18n/format";
import { triesOf, type Schedule } from "@/stores/planTime";
import { markOf, type PlanItem, type PlanModel, type PlanRow as Row } from "@/stores/planTree";
import { choosePlanTask, foldPlan } from "@/stores/plans";
import type { PlanProgress } from "@/topology";
import { cx, Marked, marked, statusIcon } from "@/ui";
import { toneOf } from "../words";

type Props = {
  row: Row;
  position: number;
  current: boolean;
  reachable: boolean;
  blocker: boolean;
  critical: boolean;
  now: number;
  schedule: Schedule;
  progress: Readonly<Record<string, PlanProgress>>;
  model: PlanModel;
  x: { from: number; perMin: number };
};

type Bar = { from: number; to: number; kind: "ran" | "failed" | "now" | "expected" };

function barsOf(item: PlanItem, progress: PlanProgress | undefined, schedule: Schedule, now: number): Bar[] {
  const out: Bar[] = triesOf(item, progress, now).map((s) => ({
    from: s.from,
    to: s.to,
    kind: s.open ? "now" : s.failed ? "failed" : "ran",
  }));
  const next = schedule.expected.get(item.id);
  if (next) out.push({ ...next, kind: "expected" });
  return out;
}

/** All that hangs below a group, from its first beginning to its last end. */
function spanOf(
  model: PlanModel,
  ids: readonly string[],
  { schedule, progress, now }: Pick<Props, "schedule" | "progress" | "now">,
): { from: number; to: number } | undefined {
  let from = Infinity,
    to = -Infinity;
  const path = [...ids];
  for (let id = path.pop(); id !== undefined; id = path.pop()) {
    const item = model.items.get(id);
    if (!item || item.change?.removed) continue;
    if (item.children.length) {
      path.push(...item.children);
      continue;
    }
    for (const b of barsOf(item, progress[id], schedule, now)) {
      from = Math.min(from, b.from);
      to = Math.max(to, b.to);
    }
  }
  return to >= from ? { from, to } : undefined;
}

/** A line of the timeline: the name, which stays in view, and its bars. */
export const TimelineRow = memo(function TimelineRow(props: Props) {
  const { row, position, current, reachable, blocker, critical, now, schedule, progress, model, x } = props;
  const { t } = useTranslation();
  const { item, phase, depth, inner, folded, key } = row;
  const standing = item?.standing ?? phase!.standing,
    tone = toneOf[standing],
    Icon = statusIcon[tone],
    Turn = folded ? ChevronRight : ChevronDown,
    mark = markOf(item?.change);
  const called = item ? item.task.title || t("plan.untitled") : phase!.name || t("plan.noPhase"),
    name = marked(called);
  const bars = item && !inner && !item.change?.removed ? barsOf(item, progress[item.id], schedule, now) : [];
  const group = inner
    ? spanOf(
        model,
        item ? item.children : model.top.filter((id) => (model.items.get(id)?.task.phase_name ?? "") === phase!.name),
        props,
      )
    : undefined;
  const at = (time: number) => 16 + ((time - x.from) / 60_000) * x.perMin,
    wide = (b: { from: number; to: number }) => Math.max(3, at(b.to) - at(b.from));
  const said = [
    name,
    t(`plan.standing.${standing}`),
    phase?.milestone,
    ...bars.map((b) => t(`plan.time.said.${b.kind}`, { from: formatWhen(b.from), to: formatWhen(b.to) })),
    group && t("plan.time.said.group", { from: formatWhen(group.from), to: formatWhen(group.to) }),
    blocker && t("plan.blocks", { n: item?.blocks }),
    critical && t("plan.graph.critical"),
  ]
    .filter(Boolean)
    .join(", ");
  return (
    <div
      role="treeitem"
      aria-level={depth + 1}
      aria-posinset={position}
      aria-expanded={inner ? !folded : undefined}
      aria-selected={current}
      aria-label={said}
      tabIndex={reachable ? 0 : -1}
      data-row={key}
      className={cx("plan-time-row", phase && "plan-phase", mark && `d-${mark} plan-${mark}`)}
      onClick={() => {
        if (item) choosePlanTask(item.id);
        else foldPlan(key, !folded);
      }}
    >
      <div
        className={cx("trow plan-time-name", blocker && "plan-blocker")}
        style={{ "--d": depth } as React.CSSProperties}
      >
        {inner ? (
          <button
            type="button"
            className="tw plan-turn"
            tabIndex={-1}
            aria-label={t(folded ? "plan.unfold" : "plan.fold", { name })}
            onClick={(e) => {
              e.stopPropagation();
              foldPlan(key, !folded);
            }}
          >
            <Turn size={14} aria-hidden />
          </button>
        ) : (
          <span className="tw" />
        )}
        <Icon size={16} className={cx(`s-${tone}`, "sc flex-none", tone === "running" && "spin")} aria-hidden />
        <span className="plan-name cut" title={name}>
          <Marked text={called} />
        </span>
      </div>
      <div className="plan-track" aria-hidden>
        {group && <span className="plan-span" style={{ left: at(group.from), width: wide(group) }} />}
        {bars.map((b, i) => (
          <span
            key={i}
            className={cx(
              "plan-time",
              `is-${b.kind}`,
              critical && b.kind === "expected" && "is-critical",
              blocker && b.kind === "expected" && "is-blocker",
            )}
            style={{ left: at(b.from), width: wide(b) }}
            title={`${name} · ${t(`plan.time.said.${b.kind}`, { from: formatWhen(b.from), to: formatWhen(b.to) })}`}
          />
        ))}
        {phase?.milestone && group && (
          <span className="plan-milestone" data-name={phase.milestone} style={{ left: at(group.to) }}>
            <i />
          </span>
        )}
      </div>
    </div>
  );
});
