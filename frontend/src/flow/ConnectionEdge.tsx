import { EdgeLabelRenderer, useInternalNode, type EdgeProps, type InternalNode } from "@xyflow/react";
import { memo } from "react";
import { cx } from "../ui";
import { markSign } from "./ChangeMark";
import { curve, type Box } from "./geometry";
import type { FlowEdge, FlowNode } from "./toFlow";

const box = (n: InternalNode<FlowNode>): Box => ({ ...n.internals.positionAbsolute, w: n.width ?? 180, h: n.height ?? 70 });

/** A connection by kind: colour and dash and marker; a change adds its colour and sign. */
export const ConnectionEdge = memo(function ConnectionEdge({ source, target, data, selected }: EdgeProps<FlowEdge>) {
  const a = useInternalNode<FlowNode>(source), b = useInternalNode<FlowNode>(target);
  if (!a || !b || !data) return null;
  const { kind, mark, label, shift } = data;
  const { d, mid } = curve(box(a), box(b), shift);
  const tone = selected ? "sel" : data.path ? "path" : mark && mark !== "mov" ? mark : kind;
  const ends = kind === "command" ? { markerEnd: `url(#arrow-${tone})` }
    : kind === "review" ? { markerEnd: `url(#gem-${tone})` }
    : kind === "communication" ? { markerStart: `url(#ring-${tone})`, markerEnd: `url(#ring-${tone})` } : {};
  return (
    <g className={data.dim ? "edge--dim" : undefined}>
      <path className={cx("edge", `edge--${kind}`, mark && `edge-${mark}`, data.path && "edge--path")} d={d} {...ends} />
      <path className="react-flow__edge-interaction" d={d} fill="none" strokeOpacity={0} strokeWidth={16} />
      {mark && (
        <g className="edge-mark" transform={`translate(${mid.x} ${mid.y})`}><circle className={mark} r={9} /><text>{markSign[mark]}</text></g>
      )}
      {label && (
        <EdgeLabelRenderer>
          <span className="edge-label" style={{ transform: `translate(-50%, -50%) translate(${mid.x}px, ${mid.y + (mark ? 18 : 0)}px)` }}>{label}</span>
        </EdgeLabelRenderer>
      )}
    </g>
  );
});
