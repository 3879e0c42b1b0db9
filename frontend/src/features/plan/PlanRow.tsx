import { ChevronDown, ChevronRight, Lock } from "lucide-react";
import { memo, useState, type DragEvent } from "react";
import { useTranslation } from "react-i18next";
import { markOf, type PlanItem, type PlanRow as Row } from "@/stores/planTree";
import { choosePlanTask, foldPlan } from "@/stores/plans";
import { Badge, cx, Marked, marked, Progress, statusIcon } from "@/ui";
import type { Drop } from "./moves";
import { toneOf } from "./words";

type Props = {
  row: Row;
  position: number;
  current: boolean;
  reachable: boolean;
  blocker: boolean;
  /** Where a finger would put what it holds. */
  aim?: Drop["where"];
  /** Absent where nothing is moved: while a proposal is looked at. */
  onDrop?: (id: string, drop: Drop) => void;
};

const kind = "application/x-agentflow-plan-task";

/** Before, after or below: by the part of the row that the pointer is over. */
export function placeIn(row: Element, clientY: number): Drop["where"] {
  const box = row.getBoundingClientRect(),
    y = (clientY - box.top) / box.height;
  return y < 0.28 ? "before" : y > 0.72 ? "after" : "below";
}

const placeOf = (e: DragEvent) => placeIn(e.currentTarget, e.clientY);

/** A line of the tree: a phase, or a task with how it stands. */
export const PlanRow = memo(function PlanRow({ row, position, current, reachable, blocker, aim, onDrop }: Props) {
  const { t } = useTranslation();
  const { item, phase, depth, inner, folded, key } = row;
  const [over, setOver] = useState<Drop["where"]>();
  const standing = item?.standing ?? phase!.standing,
    tone = toneOf[standing],
    Icon = statusIcon[tone],
    Turn = folded ? ChevronRight : ChevronDown;
  const mark = markOf(item?.change),
    name = item ? item.task.title || t("plan.untitled") : phase!.name || t("plan.noPhase");
  const drag =
    item && onDrop
      ? {
          draggable: true,
          onDragStart: (e: DragEvent) => {
            e.dataTransfer.setData(kind, item.id);
            e.dataTransfer.effectAllowed = "move";
          },
          onDragOver: (e: DragEvent) => {
            if (!e.dataTransfer.types.includes(kind)) return;
            e.preventDefault();
            setOver(placeOf(e));
          },
          onDragLeave: () => setOver(undefined),
          onDrop: (e: DragEvent) => {
            const id = e.dataTransfer.getData(kind);
            setOver(undefined);
            if (!id || id === item.id) return;
            e.preventDefault();
            onDrop(id, { at: item.id, where: placeOf(e) });
          },
        }
      : {};
  return (
    <div
      role="treeitem"
      aria-level={depth + 1}
      aria-posinset={position}
      aria-expanded={inner ? !folded : undefined}
      aria-selected={current}
      tabIndex={reachable ? 0 : -1}
      data-row={key}
      {...drag}
      className={cx(
        "trow plan-row",
        phase && "plan-phase",
        mark && `d-${mark} plan-${mark}`,
        blocker && "plan-blocker",
        (over ?? aim) && `plan-over plan-over--${over ?? aim}`,
      )}
      style={{ "--d": depth } as React.CSSProperties}
      onClick={() => {
        if (item) choosePlanTask(item.id);
        else foldPlan(key, !folded);
      }}
    >
      {inner ? (
        <button
          type="button"
          className="tw plan-turn"
          tabIndex={-1}
          aria-label={t(folded ? "plan.unfold" : "plan.fold", { name: marked(name) })}
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
      <Icon
        size={16}
        className={cx(`s-${tone}`, "sc flex-none", tone === "running" && "spin")}
        aria-label={t(`plan.standing.${standing}`)}
      />
      <span className="plan-name cut" title={marked(name)}>
        <Marked text={name} />
      </span>
      {phase?.milestone && <Badge>{phase.milestone}</Badge>}
      <span className="grow" />
      {mark && <Badge tone={mark}>{t(`plan.mark.${mark}`)}</Badge>}
      {item && <End item={item} blocker={blocker} />}
      {inner && <Share leaves={item?.leaves ?? phase!.leaves} done={item?.done ?? phase!.done} />}
    </div>
  );
});

function End({ item, blocker }: { item: PlanItem; blocker: boolean }) {
  const { t } = useTranslation();
  if (blocker) return <span className="plan-blocks num">{t("plan.blocks", { n: item.blocks })}</span>;
  if (item.waits > 0 && item.standing !== "done")
    return (
      <span className="cap row gap-1 flex-none num">
        <Lock size={12} aria-hidden />
        {t("plan.waitsFor", { n: item.waits })}
      </span>
    );
  return item.task.estimated_effort && item.standing !== "done" ? (
    <span className="cap flex-none">
      {t(`plan.effort.${item.task.estimated_effort}`, { defaultValue: item.task.estimated_effort })}
    </span>
  ) : null;
}

function Share({ leaves, done }: { leaves: number; done: number }) {
  const { t } = useTranslation();
  return (
    <span className="row gap-2 flex-none">
      <span className="cap num">
        {done}/{leaves}
      </span>
      {done > 0 && done < leaves && (
        <span className="plan-bar">
          <Progress value={done / leaves} label={t("plan.share")} />
        </span>
      )}
    </span>
  );
}
