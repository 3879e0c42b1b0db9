import { NODE_H, NODE_W, type Mark } from "../topology";
import type { Brush } from "./brush";
import { covered } from "./covered";
import { cut, type Measure } from "./picture/text";
import type { FlowEdge, FlowNode } from "./flowPicture";
import { kindStyle, kindToken, type LineKind } from "./kindStyle";

// A team seen from far, drawn by hand: thousands of elements would be too slow to move.

export type View = { x: number; y: number; zoom: number; width: number; height: number };
export type Scene = {
  nodes: readonly FlowNode[];
  edges: readonly FlowEdge[];
  /** Draw agents and folded groups too; without, they stand there as elements. */
  crowd: boolean;
  /** While a connection is drawn: who may be its end, and who is aimed at. */
  targets?: ReadonlySet<string>;
  aimed?: string;
};

const markVar: Record<Mark, string> = { add: "--add-line", del: "--del-line", chg: "--chg-line", mov: "--mov-line" };
const dashOf = (kind: LineKind): number[] => [...(kindStyle[kind].farDash ?? kindStyle[kind].dash)];
/** A name of 26 units is read from this size on, in pixels. */
const readable = 7,
  nameSize = 26;
/** More lines than this are too fine for dashes to be seen, and dashes are what costs. */
const mostDashed = 400;

type Drawn = Extract<FlowNode, { type?: "agent" | "folded" }>;
const isDrawn = (n: FlowNode): n is Drawn => n.type === "agent" || n.type === "folded";

const put = <T>(lists: Map<string, T[]>, key: string, one: T) => {
  const had = lists.get(key);
  if (had) had.push(one);
  else lists.set(key, [one]);
};

export function paint(b: Brush, v: View, s: Scene): void {
  b.g.clearRect(0, 0, v.width, v.height);
  lines(b, v, s);
  b.g.setLineDash([]);
  if (s.crowd) crowd(b, v, s);
  b.g.globalAlpha = 1;
}

function tone(e: FlowEdge): string {
  if (e.selected || e.data?.won) return "--accent-text";
  if (e.data?.path) return "--waiting-mark";
  return e.data?.mark ? markVar[e.data.mark] : kindToken(e.data?.kind ?? "unknown");
}

function lines({ g, color }: Brush, v: View, s: Scene): void {
  const at = new Map(
    s.nodes.map((n) => [
      n.id,
      { x: n.position.x + (n.width ?? NODE_W) / 2, y: n.position.y + (n.height ?? NODE_H) / 2 },
    ]),
  );
  const groups = new Map<string, number[]>();
  let many = 0;
  for (const e of s.edges) {
    const p = at.get(e.source),
      q = at.get(e.target);
    if (!p || !q) continue;
    const x1 = v.x + p.x * v.zoom,
      y1 = v.y + p.y * v.zoom,
      x2 = v.x + q.x * v.zoom,
      y2 = v.y + q.y * v.zoom;
    if (Math.max(x1, x2) < 0 || Math.min(x1, x2) > v.width || Math.max(y1, y2) < 0 || Math.min(y1, y2) > v.height)
      continue;
    const key = `${tone(e)} ${e.data?.kind ?? "unknown"} ${e.data?.dim ? "dim" : ""}`,
      list = groups.get(key);
    if (list) list.push(x1, y1, x2, y2);
    else groups.set(key, [x1, y1, x2, y2]);
    many++;
  }
  for (const [key, list] of groups) {
    const [name = "", kind = "", dim] = key.split(" ");
    g.strokeStyle = color(name);
    g.globalAlpha = dim ? 0.2 : 0.75;
    g.lineWidth = name.startsWith("--kind") ? 1 : many > mostDashed && name !== "--accent-text" ? 1 : 2;
    g.setLineDash(many > mostDashed ? [] : dashOf(kind as LineKind));
    g.beginPath();
    for (let i = 0; i < list.length; i += 4) {
      g.moveTo(list[i] as number, list[i + 1] as number);
      g.lineTo(list[i + 2] as number, list[i + 3] as number);
    }
    g.stroke();
  }
}

type Seen = { n: Drawn; x: number; y: number };

/** The color of a node's box, and of the name on it. */
function fills(n: Drawn): [box: string, name: string] {
  const c = n.type === "agent" ? n.data.color : n.data.group.color;
  return c ? [`--id-${c}`, `--id-${c}-on`] : ["--line-control", "--surface"];
}

function outline(n: Drawn, s: Scene): string {
  if (n.selected || s.aimed === n.id || (n.type === "folded" && n.data.holds)) return "--accent-text";
  return n.type === "agent" && n.data.path ? "--waiting-mark" : "";
}

const backs = (n: Drawn, s: Scene) =>
  !!n.data.dim || (n.type === "agent" && n.data.mark === "del") || (!!s.targets && !s.targets.has(n.id));

function crowd(b: Brush, v: View, s: Scene): void {
  const { g, color } = b,
    w = NODE_W * v.zoom,
    h = NODE_H * v.zoom;
  const boxes = new Map<string, Seen[]>(),
    outlines = new Map<string, Seen[]>(),
    marks = new Map<string, Seen[]>();
  for (const n of s.nodes) {
    if (!isDrawn(n)) continue;
    const x = v.x + n.position.x * v.zoom,
      y = v.y + n.position.y * v.zoom,
      seen = { n, x, y };
    if (x > v.width || y > v.height || x + w < 0 || y + h < 0) continue;
    const around = outline(n, s);
    put(boxes, `${fills(n).join(" ")} ${backs(n, s) ? "dim" : ""}`, seen);
    if (around) put(outlines, around, seen);
    if (n.data.mark) put(marks, markVar[n.data.mark], seen);
  }
  const round = v.zoom < 0.2 ? 0 : 6 * v.zoom,
    named = nameSize * v.zoom >= readable;
  for (const [key, list] of boxes) {
    const [box = "", , dim] = key.split(" ");
    g.globalAlpha = dim ? 0.25 : 1;
    g.fillStyle = color(box);
    g.beginPath();
    for (const { x, y } of list)
      if (round) g.roundRect(x, y, w, h, round);
      else g.rect(x, y, w, h);
    g.fill();
  }
  const behind = named ? unread(b, s.nodes) : undefined;
  if (behind)
    for (const [key, list] of boxes) {
      const [, name = "", dim] = key.split(" ");
      g.globalAlpha = dim ? 0.25 : 1;
      names(
        b,
        v.zoom,
        list.filter(({ n }) => !behind.has(n)),
        color(name),
      );
    }
  g.globalAlpha = 1;
  for (const [token, list] of marks) {
    const r = Math.max(2, 8 * v.zoom);
    g.fillStyle = color(token);
    g.beginPath();
    for (const { x, y } of list) g.rect(x + w - r, y - r, 2 * r, 2 * r);
    g.fill();
  }
  g.lineWidth = 2;
  for (const [token, list] of outlines) {
    g.strokeStyle = color(token);
    g.beginPath();
    for (const { x, y } of list) g.rect(x - 1, y - 1, w + 2, h + 2);
    g.stroke();
  }
}

function names({ g, font, measure }: Brush, zoom: number, list: readonly Seen[], color: string): void {
  g.fillStyle = color;
  g.font = font(nameSize * zoom);
  g.textAlign = "center";
  g.textBaseline = "middle";
  for (const { n, x, y } of list)
    g.fillText(short(nameOf(n), font(nameSize), measure), x + (NODE_W / 2) * zoom, y + (NODE_H / 2) * zoom);
}

const nameOf = (n: Drawn) => (n.type === "agent" ? n.data.name : (n.data.group.name ?? n.data.group.id));

// Which nodes overlap doesn't change while the view moves.
const hidden = new WeakMap<readonly FlowNode[], ReadonlySet<Drawn>>();
/** The nodes whose names lie behind other nodes. */
function unread({ font, measure }: Brush, nodes: readonly FlowNode[]): ReadonlySet<Drawn> {
  let had = hidden.get(nodes);
  if (!had)
    hidden.set(
      nodes,
      (had = covered(nodes.filter(isDrawn), (n) => ({
        w: widthOf(short(nameOf(n), font(nameSize), measure), font(nameSize), measure),
        h: nameSize,
      }))),
    );
  return had;
}

const widths = new Map<string, number>();
function widthOf(text: string, font: string, measure: Measure): number {
  let w = widths.get(text);
  if (w === undefined) {
    if (widths.size > 20_000) widths.clear();
    widths.set(text, (w = measure(text, font)));
  }
  return w;
}

// What of a name has room does not change while the view moves.
const cuts = new Map<string, string>();
function short(name: string, font: string, measure: Measure): string {
  let had = cuts.get(name);
  if (had === undefined) {
    if (cuts.size > 20_000) cuts.clear();
    cuts.set(name, (had = cut(name, NODE_W - 16, font, measure)));
  }
  return had;
}
