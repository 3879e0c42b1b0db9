import { Handle, Position, type Node, type NodeProps } from "@xyflow/react";
import { Lock } from "lucide-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { markOf, type PlanItem } from "@/stores/planTree";
import { Badge, cx, Marked, marked, statusIcon } from "@/ui";
import { toneOf } from "../words";
import { useHands } from "./store";

export type TaskNode = Node<
  {
    item: PlanItem;
    label: string;
    chosen: boolean;
    reachable: boolean;
    blocker: boolean;
    critical: boolean;
    dim: boolean;
    still: boolean;
  },
  "task"
>;
export type FrameNode = Node<{ name: string }, "phase">;

/** A task in the graph. From its right a line is drawn to what is to wait for it. */
export const TaskBox = memo(function TaskBox({ id, data }: NodeProps<TaskNode>) {
  const { t } = useTranslation();
  const { item, label, chosen, reachable, blocker, critical, dim, still } = data;
  const target = useHands((s) => !!s.targets?.has(id)),
    team = useHands((s) => s.from !== undefined && s.from !== id),
    aimed = useHands((s) => s.aimed === id);
  const tone = toneOf[item.standing],
    Icon = statusIcon[tone],
    mark = markOf(item.change),
    inner = item.children.length > 0;
  return (
    <div
      className={cx(
        "plan-box",
        inner && "plan-box--inner",
        chosen && "is-chosen",
        blocker && "plan-blocker",
        critical && "is-critical",
        mark && `d-${mark} plan-${mark}`,
        (dim || (team && !target)) && "is-dim",
        target && "is-target",
        aimed && "is-aimed",
      )}
    >
      <button
        type="button"
        className="plan-box-in nopan"
        data-box={id}
        tabIndex={reachable ? 0 : -1}
        aria-current={chosen || undefined}
      >
        <Icon size={16} className={cx(`s-${tone}`, "sc flex-none", tone === "running" && "spin")} aria-hidden />
        <span className="plan-name cut" title={marked(item.task.title)}>
          <Marked text={item.task.title || t("plan.untitled")} />
        </span>
        <span className="plan-box-foot cap num">
          {blocker ? (
            <span className="plan-blocks">{t("plan.blocks", { n: item.blocks })}</span>
          ) : item.waits > 0 && item.standing !== "done" ? (
            <span className="row gap-1">
              <Lock size={12} aria-hidden />
              {t("plan.waitsFor", { n: item.waits })}
            </span>
          ) : inner ? (
            `${item.done}/${item.leaves}`
          ) : item.task.estimated_effort ? (
            t(`plan.effort.${item.task.estimated_effort}`, { defaultValue: item.task.estimated_effort })
          ) : (
            t(`plan.standing.${item.standing}`)
          )}
          {critical && (
            <span className="plan-critical" title={t("plan.graph.critical")}>
              {t("plan.graph.critical")}
            </span>
          )}
          {mark && <Badge tone={mark}>{t(`plan.mark.${mark}`)}</Badge>}
        </span>
        <span className="sr-only">, {label}</span>
      </button>
      <Handle
        type="target"
        position={Position.Left}
        className="handle plan-handle plan-handle--in"
        isConnectable={!still}
        isConnectableStart={false}
      />
      <Handle type="source" position={Position.Right} className="handle plan-handle" isConnectable={!still} />
    </div>
  );
});

export const PhaseBox = memo(function PhaseBox({ data }: NodeProps<FrameNode>) {
  const { t } = useTranslation();
  return (
    <div className="plan-phase-box">
      <span className="cut">{data.name || t("plan.noPhase")}</span>
    </div>
  );
});
