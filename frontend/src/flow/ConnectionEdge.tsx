import { EdgeLabelRenderer, useInternalNode, useStore, type EdgeProps, type InternalNode } from "@xyflow/react";
import { memo, useState } from "react";
import { useTranslation } from "react-i18next";
import { isMutual, type Box, type Point } from "../topology";
import { composing, cx, isEnter } from "../ui";
import { ChangeMark } from "./ChangeMark";
import { useFlowActions } from "./context";
import { curve, path, piecesIn, wholeOf, type Curve, type Piece } from "./geometry";
import type { FlowEdge, FlowNode } from "./flowPicture";
import { edgeStyle, kindStyle } from "./kindStyle";
import { useLit } from "./work";

const box = (n: InternalNode<FlowNode>): Box => ({
  ...n.internals.positionAbsolute,
  w: n.width ?? 180,
  h: n.height ?? 70,
});

/** Longer lines are drawn in pieces, and only those that can be seen: dashes take long to draw, and out of view as long as in it. */
const long = 512;
/** How far the view can move, in units, before the pieces of long lines are computed again. */
const step = 256;

/** The part of the drawing in view, in whole steps. */
function inView([x, y, zoom]: readonly [number, number, number], width: number, height: number): Box {
  const left = Math.floor(-x / zoom / step),
    top = Math.floor(-y / zoom / step),
    right = Math.ceil((width - x) / zoom / step),
    bottom = Math.ceil((height - y) / zoom / step);
  return { x: left * step, y: top * step, w: (right - left) * step, h: (bottom - top) * step };
}
const sameBox = (p: Box | undefined, q: Box | undefined) =>
  p === q || (!!p && !!q && p.x === q.x && p.y === q.y && p.w === q.w && p.h === q.h);

function usePieces(line: Curve | undefined): Piece[] {
  const view = useStore(
    (s) => (line && line.span > long ? inView(s.transform, s.width, s.height) : undefined),
    sameBox,
  );
  if (!line) return [];
  return view ? piecesIn(line, view) : wholeOf(line);
}

/** A connection by kind: color and dash and marker; a change adds its color and sign. */
export const ConnectionEdge = memo(function ConnectionEdge({
  id,
  source,
  target,
  data,
  selected,
}: EdgeProps<FlowEdge>) {
  const a = useInternalNode<FlowNode>(source),
    b = useInternalNode<FlowNode>(target);
  const { labelling } = useFlowActions(),
    lit = useLit(id);
  const line = a && b && data && curve(box(a), box(b), data.shift, data.way),
    pieces = usePieces(line);
  if (!line || !data) return null;
  const { kind, mark, label, count, spot } = data;
  const tone = selected || data.won ? "sel" : data.path ? "path" : mark && mark !== "mov" ? mark : kind;
  const sign = kindStyle[kind].end,
    end = sign && `url(#${sign}-${tone})`;
  const writing = labelling === id;
  return (
    <g className={data.dim ? "edge--dim" : undefined}>
      {pieces.map((p) => (
        <path
          key={p.n}
          className={cx(
            "edge",
            `edge--${kind}`,
            mark && `edge-${mark}`,
            data.path && "edge--path",
            data.won && "edge--won",
          )}
          style={edgeStyle(kind)}
          d={path(p.cubic)}
          strokeDashoffset={p.before || undefined}
          markerStart={p.first && isMutual(kind) ? end : undefined}
          markerEnd={p.last ? end : undefined}
        />
      ))}
      {lit && pieces.map((p) => <path key={`run ${p.n}`} className="edge-run" d={path(p.cubic)} />)}
      <path className="react-flow__edge-interaction" d={line.d} fill="none" strokeOpacity={0} strokeWidth={16} />
      {(mark || label || count || writing) && (
        <EdgeLabelRenderer>
          <OnLine at={line.at(spot)} dim={data.dim} of={count ? undefined : id}>
            {mark && <ChangeMark mark={mark} inline />}
            {count && <span className="edge-count num">{count}</span>}
            {writing ? <LabelInput id={id} label={label ?? ""} /> : label && <LabelText id={id} label={label} />}
          </OnLine>
        </EdgeLabelRenderer>
      )}
    </g>
  );
});

/** What stands on a line, in front of the nodes: its middle is at the point. A click on it is one on the connection `of` which it is. */
function OnLine({ at, dim, of, children }: { at: Point; dim?: boolean; of?: string; children: React.ReactNode }) {
  const { label, choose } = useFlowActions(),
    live = of !== undefined && choose;
  return (
    <div
      className={cx("on-line", dim && "edge--dim", live && "nodrag nopan on-line--live")}
      data-id={of}
      style={{ transform: `translate(-50%, -50%) translate(${at.x}px, ${at.y}px)` }}
      onClick={live ? (e) => live(of, e.shiftKey || e.ctrlKey || e.metaKey) : undefined}
      onDoubleClick={
        live && label
          ? (e) => {
              e.stopPropagation();
              label(of);
            }
          : undefined
      }
    >
      {children}
    </div>
  );
}

function LabelText({ id, label }: { id: string; label: string }) {
  const { choose } = useFlowActions();
  return (
    <span className={cx("edge-label", choose && "edge-label--live")} data-id={id} title={label}>
      {label}
    </span>
  );
}

/** The label, being written: Enter or leaving keeps it, Escape does not. */
function LabelInput({ id, label }: { id: string; label: string }) {
  const { t } = useTranslation();
  const { relabel, endLabelling } = useFlowActions();
  const [text, setText] = useState(label);
  const finish = (keep: boolean) => {
    if (keep && text.trim() !== label) relabel?.(id, text.trim());
    endLabelling?.();
  };
  return (
    <input
      className="edge-label-input nodrag nopan"
      autoFocus
      value={text}
      placeholder={t("inspector.labelPlaceholder")}
      aria-label={t("inspector.label2")}
      spellCheck={false}
      autoComplete="off"
      onFocus={(e) => e.target.select()}
      onChange={(e) => setText(e.target.value)}
      onBlur={() => finish(true)}
      onKeyDown={(e) => {
        e.stopPropagation();
        if (isEnter(e)) finish(true);
        else if (e.key === "Escape" && !composing(e)) finish(false);
      }}
    />
  );
}
