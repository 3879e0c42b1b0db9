import { isMutual, NODE_H, NODE_W, type Box, type Mark, type Point } from "../topology";
import type { Brush } from "./brush";
import { markSign } from "./ChangeMark";
import { curve, piecesIn, straight, type Cubic } from "./geometry";
import type { View } from "./paint";
import type { FlowEdge, FlowNode } from "./flowPicture";
import { kindStyle, kindToken, type KindStyle } from "./kindStyle";
import { sameWay } from "./ways";

// Draws the lines of a large team at close zoom on a canvas: as elements, each would be checked in every frame.

/** Longer lines are drawn in pieces, only where they can be seen: dashes take long to draw. */
const long = 512;
/** How far a line, its ends and its mark may reach beyond the boxes it connects. */
export const reach = 48;
/** How far ends and marks reach beyond the line they stand on. */
export const stout = 16;

export type Seen = { edge: FlowEdge; a: Box; b: Box };

const maps = new WeakMap<readonly FlowNode[], ReadonlyMap<string, FlowNode>>();
/** The nodes of a list by their ids: asked for several times for every picture. */
export function byId(nodes: readonly FlowNode[]): ReadonlyMap<string, FlowNode> {
  let m = maps.get(nodes);
  if (!m) maps.set(nodes, (m = new Map(nodes.map((n) => [n.id, n]))));
  return m;
}

const boxes = new WeakMap<FlowNode, Box>();
export function boxOf(n: FlowNode): Box {
  let b = boxes.get(n);
  if (!b) boxes.set(n, (b = { ...n.position, w: n.width ?? NODE_W, h: n.height ?? NODE_H }));
  return b;
}

/** Whether two nodes have the same part in the picture of the lines: a name that is written is none of its business. */
export const samePlace = (x: FlowNode, y: FlowNode) =>
  x.id === y.id &&
  x.type !== "frame" &&
  y.type !== "frame" &&
  x.position.x === y.position.x &&
  x.position.y === y.position.y &&
  x.width === y.width &&
  x.height === y.height;
/** Whether two lines look the same where their ends stand. */
export const sameStroke = ({ data: x, ...a }: FlowEdge, { data: y, ...b }: FlowEdge) =>
  a.id === b.id &&
  a.source === b.source &&
  a.target === b.target &&
  !!x &&
  !!y &&
  x.kind === y.kind &&
  x.mark === y.mark &&
  x.shift === y.shift &&
  sameWay(x.way, y.way) &&
  x.spot === y.spot &&
  x.crossing === y.crossing &&
  x.path === y.path &&
  x.won === y.won &&
  x.dim === y.dim;

/** The lines that may pass through a part of the drawing, with the boxes they connect. */
export function linesIn(nodes: readonly FlowNode[], edges: readonly FlowEdge[], part: Box): Seen[] {
  const at = byId(nodes),
    seen: Seen[] = [];
  const left = part.x - reach,
    top = part.y - reach,
    right = part.x + part.w + reach,
    bottom = part.y + part.h + reach;
  for (const edge of edges) {
    const from = at.get(edge.source),
      to = at.get(edge.target);
    if (!from || !to) continue;
    const a = boxOf(from),
      b = boxOf(to);
    if (
      Math.max(a.x + a.w, b.x + b.w) >= left &&
      Math.min(a.x, b.x) <= right &&
      Math.max(a.y + a.h, b.y + b.h) >= top &&
      Math.min(a.y, b.y) <= bottom
    )
      seen.push({ edge, a, b });
  }
  return seen;
}

/** The line at a point of the drawing, the foremost first. */
export function lineAt(
  nodes: readonly FlowNode[],
  edges: readonly FlowEdge[],
  p: Point,
  within = 8,
): string | undefined {
  return linesIn(nodes, edges, { ...p, w: 0, h: 0 }).findLast(({ edge, a, b }) => {
    const c = curve(a, b, edge.data?.shift, edge.data?.way),
      steps = Math.max(16, Math.ceil(c.span / 24));
    for (let i = 0, q = c.at(0); i < steps; i++) {
      const r = c.at((i + 1) / steps),
        dx = r.x - q.x,
        dy = r.y - q.y,
        t = Math.max(0, Math.min(1, ((p.x - q.x) * dx + (p.y - q.y) * dy) / (dx * dx + dy * dy || 1)));
      if (Math.hypot(q.x + dx * t - p.x, q.y + dy * t - p.y) <= within) return true;
      q = r;
    }
    return false;
  })?.edge.id;
}

type Style = { stroke: string; ends: string; width: number; dash: readonly number[]; round: boolean; alpha: number };
type End = { sign: NonNullable<KindStyle["end"]>; at: Point; from: Point };
type Layer = Style & { whole: Cubic[]; pieces: { cubic: Cubic; before: number }[]; arrows: End[] };

const markVar: Record<Mark, string> = { add: "--add-line", del: "--del-line", chg: "--chg-line", mov: "--mov-line" };

/** As css/lines.css has it for the elements. */
function styleOf({ data }: FlowEdge): Style {
  const kind = data?.kind ?? "unknown",
    mark = data?.mark,
    own = kindToken(kind),
    look = kindStyle[kind];
  const stroke = data?.won ? "--accent-text" : data?.path ? "--waiting-mark" : mark ? markVar[mark] : own;
  const width = data?.won || data?.path ? 3 : mark === "del" ? 2 : mark === "add" || mark === "chg" ? 2.2 : look.width;
  return {
    stroke,
    ends: mark === "mov" && !data?.path && !data?.won ? own : stroke,
    width,
    dash: look.dash,
    round: !!look.round,
    alpha: data?.dim ? 0.3 : 1,
  };
}

function layersOf(seen: readonly Seen[], view: Box): Map<string, Layer> {
  const layers = new Map<string, Layer>();
  for (const { edge, a, b } of seen) {
    const style = styleOf(edge),
      kind = edge.data?.kind ?? "unknown",
      key = `${kind} ${style.stroke} ${style.alpha}`;
    let layer = layers.get(key);
    if (!layer) layers.set(key, (layer = { ...style, whole: [], pieces: [], arrows: [] }));
    const c = curve(a, b, edge.data?.shift, edge.data?.way),
      [first] = c.cubics,
      last = c.cubics.at(-1);
    if (c.span > long) layer.pieces.push(...piecesIn(c, view, reach));
    else layer.whole.push(...c.cubics);
    const sign = kindStyle[kind].end;
    if (sign && last) layer.arrows.push({ sign, at: last[3], from: last[2] });
    if (sign && first && isMutual(kind)) layer.arrows.push({ sign, at: first[0], from: first[1] });
  }
  return layers;
}

/** A straight line is said to be one: its dashes are drawn in half the time. */
function stroke(g: CanvasRenderingContext2D, cubic: Cubic): void {
  const [p, c1, c2, q] = cubic;
  g.moveTo(p.x, p.y);
  if (straight(cubic)) g.lineTo(q.x, q.y);
  else g.bezierCurveTo(c1.x, c1.y, c2.x, c2.y, q.x, q.y);
}

/** So small, in pixels, a dot is as round as a square, which takes a third of the time. */
const smallDot = 3;
/** How a layer is dashed where a unit has so many pixels. */
function dashing(
  { round, width, dash }: Layer,
  scale: number,
): { cap: CanvasLineCap; dash: readonly number[]; by: number } {
  if (!round || width * scale >= smallDot) return { cap: round ? "round" : "butt", dash, by: 0 };
  const [on = 0, off = 0] = dash,
    side = 0.85 * width; // of a square as dark as the dot
  return { cap: "butt", dash: [side, on + off - side], by: (side - on) / 2 };
}

/** Arrow, ring or gem, as EdgeMarkers draws them. */
function end(g: CanvasRenderingContext2D, { sign, at, from }: End): void {
  const l = Math.hypot(at.x - from.x, at.y - from.y) || 1,
    ux = (at.x - from.x) / l,
    uy = (at.y - from.y) / l;
  const to = (along: number, aside: number) =>
    [at.x + ux * along - uy * aside, at.y + uy * along + ux * aside] as const;
  if (sign === "ring") {
    const [x, y] = to(-3, 0);
    g.moveTo(x + 3, y);
    g.arc(x, y, 3, 0, 2 * Math.PI);
    return;
  }
  const shape =
    sign === "arrow"
      ? ([
          [-8, -3.5],
          [0, 0],
          [-8, 3.5],
        ] as const)
      : ([
          [-9, 0],
          [-4.5, -3.5],
          [0, 0],
          [-4.5, 3.5],
        ] as const);
  shape.forEach(([along, aside], i) => {
    const [x, y] = to(along, aside);
    if (i) g.lineTo(x, y);
    else g.moveTo(x, y);
  });
  g.closePath();
}

function marks({ g, color, mono }: Brush, seen: readonly Seen[]): void {
  g.font = `600 12px ${mono}`;
  g.textAlign = "center";
  g.textBaseline = "middle";
  const at = new Map<Mark, Point[]>();
  for (const {
    edge: { data },
    a,
    b,
  } of seen) {
    if (!data?.mark) continue;
    const p = curve(a, b, data.shift, data.way).at(data.spot),
      had = at.get(data.mark);
    if (had) had.push(p);
    else at.set(data.mark, [p]);
  }
  // Each color once for all: a path for every sign would take most of the time.
  const discs = (places: readonly Point[], r: number, token: string) => {
    g.beginPath();
    for (const { x, y } of places) {
      g.moveTo(x + r, y);
      g.arc(x, y, r, 0, 2 * Math.PI);
    }
    g.fillStyle = color(token);
    g.fill();
  };
  discs([...at.values()].flat(), 10, "--canvas");
  for (const [mark, places] of at) discs(places, 8, markVar[mark]);
  g.fillStyle = color("--mark-sign");
  for (const [mark, places] of at) for (const { x, y } of places) g.fillText(markSign[mark], x, y + 0.5);
}

/** The ground of frames, which lines lie upon. */
function frames({ g, color }: Brush, nodes: readonly FlowNode[]): void {
  for (const n of nodes) {
    if (n.type !== "frame" || n.data.dim) continue;
    const tint = n.data.group.color;
    g.fillStyle = color(tint ? `--id-${tint}` : "--hover");
    g.globalAlpha = tint ? 0.07 : 0.55;
    g.beginPath();
    g.roundRect(n.position.x, n.position.y, n.width ?? 0, n.height ?? 0, 8);
    g.fill();
  }
}

function overlap(a: Box, b: Box): Box | undefined {
  const x = Math.max(a.x, b.x),
    y = Math.max(a.y, b.y),
    w = Math.min(a.x + a.w, b.x + b.w) - x,
    h = Math.min(a.y + a.h, b.y + b.h) - y;
  return w > 0 && h > 0 ? { x, y, w, h } : undefined;
}

/** The whole pixels of a canvas that hold a part of the drawing. */
function pixels({ x, y, zoom, width, height }: View, part: Box, scale: number) {
  const left = Math.max(0, Math.floor((part.x * zoom + x) * scale)),
    top = Math.max(0, Math.floor((part.y * zoom + y) * scale));
  const right = Math.min(Math.round(width * scale), Math.ceil(((part.x + part.w) * zoom + x) * scale)),
    bottom = Math.min(Math.round(height * scale), Math.ceil(((part.y + part.h) * zoom + y) * scale));
  return { left, top, width: right - left, height: bottom - top };
}

let sheet: CanvasRenderingContext2D | null = null;
/** An empty canvas beside the page. */
function aside(width: number, height: number): CanvasRenderingContext2D | null {
  sheet ??= document.createElement("canvas").getContext("2d");
  if (sheet) Object.assign(sheet.canvas, { width, height });
  return sheet;
}

/**
 * Redraws the whole view or a part, from scratch. A part is drawn on a separate sheet first: for each line that
 * leaves the part, the browser would otherwise redraw all of the page below that line.
 */
function anew(b: Brush, v: View, part: Box | undefined, paint: (b: Brush, part: Box) => void): void {
  const scale = devicePixelRatio,
    { x, y, zoom } = v,
    shown: Box = { x: -x / zoom, y: -y / zoom, w: v.width / zoom, h: v.height / zoom };
  const both = part && overlap(part, shown);
  if (part && !both) return; // nobody sees it
  const at = pixels(v, both ?? shown, scale),
    g = both ? aside(at.width, at.height) : b.g;
  if (!g) return;
  g.save();
  if (!both) {
    g.setTransform(1, 0, 0, 1, 0, 0);
    g.clearRect(0, 0, v.width * scale, v.height * scale);
  }
  g.setTransform(scale * zoom, 0, 0, scale * zoom, x * scale - (both ? at.left : 0), y * scale - (both ? at.top : 0));
  paint({ ...b, g }, both ?? shown);
  g.restore();
  if (!both || at.width <= 0 || at.height <= 0) return;
  b.g.save();
  b.g.setTransform(1, 0, 0, 1, 0, 0);
  b.g.clearRect(at.left, at.top, at.width, at.height);
  b.g.drawImage(g.canvas, at.left, at.top);
  b.g.restore();
}

/** Draws lines with their ends and the signs of their changes, but for those that would lie behind a node. */
export function paintLines(
  b: Brush,
  v: View,
  nodes: readonly FlowNode[],
  edges: readonly FlowEdge[],
  part?: Box,
): void {
  anew(b, v, part, (on, p) => draw(on, nodes, linesIn(nodes, edges, p), p));
}

/** Draws the signs of changes alone. */
export function paintSigns(
  b: Brush,
  v: View,
  nodes: readonly FlowNode[],
  edges: readonly FlowEdge[],
  part?: Box,
): void {
  anew(b, v, part, (on, p) => marks(on, linesIn(nodes, edges, p)));
}

function draw(b: Brush, nodes: readonly FlowNode[], seen: readonly Seen[], part: Box): void {
  const { g, color } = b,
    scale = g.getTransform().a;
  frames(b, nodes);
  for (const [, l] of [...layersOf(seen, part)].sort(([a], [z]) => (a < z ? -1 : 1))) {
    const { cap, dash, by } = dashing(l, scale);
    Object.assign(g, {
      globalAlpha: l.alpha,
      strokeStyle: color(l.stroke),
      lineWidth: l.width,
      lineCap: cap,
      lineDashOffset: by,
    });
    g.setLineDash([...dash]);
    g.beginPath();
    for (const c of l.whole) stroke(g, c);
    g.stroke();
    for (const p of l.pieces) {
      g.beginPath();
      g.lineDashOffset = p.before + by;
      stroke(g, p.cubic);
      g.stroke();
    }
    ends(b, l);
  }
  g.setLineDash([]);
  g.globalAlpha = 1;
  marks(
    b,
    seen.filter(({ edge }) => !edge.data?.crossing),
  );
}

function ends({ g, color }: Brush, l: Layer): void {
  const [first] = l.arrows;
  if (!first) return;
  g.setLineDash([]);
  g.beginPath();
  for (const e of l.arrows) end(g, e);
  g.fillStyle = color(first.sign === "ring" ? "--canvas" : l.ends);
  g.fill();
  if (first.sign !== "ring") return;
  Object.assign(g, { strokeStyle: color(l.ends), lineWidth: 1.6 });
  g.stroke();
}
