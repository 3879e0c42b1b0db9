import { EdgeLabelRenderer, useInternalNode, type EdgeProps, type InternalNode } from "@xyflow/react";
import { memo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Box, Point } from "../topology";
import { composing, cx, isEnter } from "../ui";
import { ChangeMark } from "./ChangeMark";
import { useFlowActions } from "./context";
import { curve } from "./geometry";
import type { FlowEdge, FlowNode } from "./toFlow";

const box = (n: InternalNode<FlowNode>): Box => ({ ...n.internals.positionAbsolute, w: n.width ?? 180, h: n.height ?? 70 });

/** A connection by kind: colour and dash and marker; a change adds its colour and sign. */
export const ConnectionEdge = memo(function ConnectionEdge({ id, source, target, data, selected }: EdgeProps<FlowEdge>) {
  const a = useInternalNode<FlowNode>(source), b = useInternalNode<FlowNode>(target);
  const { labelling } = useFlowActions();
  if (!a || !b || !data) return null;
  const { kind, mark, label, count, shift, spot } = data;
  const { d, at } = curve(box(a), box(b), shift);
  const tone = selected ? "sel" : data.path ? "path" : mark && mark !== "mov" ? mark : kind;
  const ends = kind === "command" ? { markerEnd: `url(#arrow-${tone})` }
    : kind === "review" ? { markerEnd: `url(#gem-${tone})` }
    : kind === "communication" ? { markerStart: `url(#ring-${tone})`, markerEnd: `url(#ring-${tone})` } : {};
  const writing = labelling === id;
  return (
    <g className={data.dim ? "edge--dim" : undefined}>
      <path className={cx("edge", `edge--${kind}`, mark && `edge-${mark}`, data.path && "edge--path")} d={d} {...ends} />
      <path className="react-flow__edge-interaction" d={d} fill="none" strokeOpacity={0} strokeWidth={16} />
      {(mark || label || count || writing) && (
        <EdgeLabelRenderer>
          <OnLine at={at(spot)} dim={data.dim}>
            {mark && <ChangeMark mark={mark} inline />}
            {count && <span className="edge-count num">{count}</span>}
            {writing ? <LabelInput id={id} label={label ?? ""} /> : label && <LabelText id={id} label={label} />}
          </OnLine>
        </EdgeLabelRenderer>
      )}
    </g>
  );
});

/** What stands on a line, in front of the nodes: its middle is at the point. */
function OnLine({ at, dim, children }: { at: Point; dim?: boolean; children: React.ReactNode }) {
  return <div className={cx("on-line", dim && "edge--dim")} style={{ transform: `translate(-50%, -50%) translate(${at.x}px, ${at.y}px)` }}>{children}</div>;
}

function LabelText({ id, label }: { id: string; label: string }) {
  const { label: write, choose } = useFlowActions();
  return (
    <span className={cx("edge-label", choose && "nodrag nopan edge-label--live")} data-id={id} title={label}
      onClick={choose && ((e) => choose(id, e.shiftKey || e.ctrlKey || e.metaKey))} onDoubleClick={write && ((e) => { e.stopPropagation(); write(id); })}>{label}</span>
  );
}

/** The label, being written: Enter or leaving keeps it, Escape does not. */
function LabelInput({ id, label }: { id: string; label: string }) {
  const { t } = useTranslation();
  const { relabel, endLabelling } = useFlowActions();
  const [text, setText] = useState(label);
  const finish = (keep: boolean) => { if (keep && text.trim() !== label) relabel?.(id, text.trim()); endLabelling?.(); };
  return (
    <input className="edge-label-input nodrag nopan" autoFocus value={text} placeholder={t("inspector.labelPlaceholder")} aria-label={t("inspector.label2")} spellCheck={false} autoComplete="off"
      onFocus={(e) => e.target.select()} onChange={(e) => setText(e.target.value)} onBlur={() => finish(true)}
      onKeyDown={(e) => { e.stopPropagation(); if (isEnter(e)) finish(true); else if (e.key === "Escape" && !composing(e)) finish(false); }} />
  );
}
