import { isMutual, NODE_H, NODE_W, type Box } from "../../topology";
import { curve } from "../geometry";
import type { FoldedFlowNode, GroupFlowNode } from "../frames";
import type { AgentFlowNode, FlowEdge, FlowNode, NoteFlowNode } from "../flowPicture";
import { drawnKinds, kindStyle, kindToken, type LineKind } from "../kindStyle";
import { cut, wrap, type Measure } from "./text";
import type { Colors } from "./theme";

export type PictureInput = {
  nodes: readonly FlowNode[];
  edges: readonly FlowEdge[];
  colors: Colors;
  measure: Measure;
  /** The drawing's name, for people who cannot see the picture. */
  title: string;
  background: boolean;
  sans: string;
  mono: string;
};

export type Drawn = { svg: string; width: number; height: number };

const margin = 32,
  round = 6;
const esc = (s: string) =>
  s.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`).replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, "");
const num = (n: number) => String(Math.round(n * 100) / 100);
const noteFont = 12,
  noteLine = 18.6;

/** The picture of a drawing as one SVG file: real text, the theme's own colors, nothing from elsewhere. */
export function pictureOf(p: PictureInput): Drawn {
  const boxes = new Map(p.nodes.map((n) => [n.id, boxOf(n, p)]));
  const lines = p.edges.map((e) => lineOf(e, boxes, p)).filter((l) => l !== undefined);
  const all = [...boxes.values(), ...lines.map((l) => l.around)];
  const x1 = Math.min(...(all.length ? all.map((b) => b.x) : [0])) - margin,
    y1 = Math.min(...(all.length ? all.map((b) => b.y) : [0])) - margin;
  const x2 = Math.max(...(all.length ? all.map((b) => b.x + b.w) : [0])) + margin,
    y2 = Math.max(...(all.length ? all.map((b) => b.y + b.h) : [0])) + margin;
  const width = Math.ceil(x2 - x1),
    height = Math.ceil(y2 - y1);
  const of = <T extends FlowNode>(type: T["type"], draw: (n: T, b: Box, p: PictureInput) => string) =>
    p.nodes.flatMap((n) => (n.type === type ? [draw(n as T, boxes.get(n.id) as Box, p)] : []));
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${num(x1)} ${num(y1)} ${width} ${height}" font-family="${esc(p.sans)}" role="img">`,
    `<title>${esc(p.title)}</title>`,
    markers(p),
    p.background
      ? `<rect x="${num(x1)}" y="${num(y1)}" width="${width}" height="${height}" fill="${p.colors("--canvas")}"/>`
      : "",
    ...of<GroupFlowNode>("frame", frame),
    ...lines.map((l) => l.path),
    ...of<NoteFlowNode>("note", note),
    ...of<AgentFlowNode>("agent", agent),
    ...of<FoldedFlowNode>("folded", folded),
    ...lines.map((l) => l.label),
    "</svg>",
  ]
    .filter(Boolean)
    .join("\n");
  return { svg, width, height };
}

function boxOf(n: FlowNode, p: PictureInput): Box {
  const at = n.position,
    w = n.width ?? NODE_W;
  if (n.type === "agent" || n.type === "folded") return { ...at, w: NODE_W, h: NODE_H };
  if (n.type !== "note") return { ...at, w, h: n.height ?? NODE_H };
  return { ...at, w, h: Math.max(n.height ?? 36, noteLines(n, w, p).length * noteLine + 18) };
}

const noteLines = (n: NoteFlowNode, w: number, p: PictureInput) =>
  wrap(n.data.note.text, w - 22, `${noteFont}px ${p.sans}`, p.measure);

function text(
  p: PictureInput,
  at: { x: number; y: number },
  words: string,
  look: { size: number; fill: string; weight?: number; mono?: boolean; anchor?: "middle" },
): string {
  const more = `${look.weight ? ` font-weight="${look.weight}"` : ""}${look.mono ? ` font-family="${esc(p.mono)}"` : ""}${look.anchor ? ` text-anchor="${look.anchor}"` : ""}`;
  return words
    ? `<text x="${num(at.x)}" y="${num(at.y)}" font-size="${look.size}" fill="${look.fill}"${more}>${esc(words)}</text>`
    : "";
}

function agent(n: AgentFlowNode, b: Box, p: PictureInput): string {
  const c = p.colors,
    d = n.data,
    inner = b.w - 52;
  const foot = d.agent.role ?? ""; // a picture is not live
  return [
    `<g data-agent="${esc(n.id)}"><rect x="${num(b.x + 0.5)}" y="${num(b.y + 0.5)}" width="${b.w - 1}" height="${b.h - 1}" rx="${round}" fill="${c("--surface")}" stroke="${c("--line-2")}"/>`,
    `<path d="M${num(b.x + 1)} ${num(b.y + 44.5)}h${b.w - 2}" stroke="${c("--line")}"/>`,
    `<rect x="${num(b.x + 9)}" y="${num(b.y + 8)}" width="28" height="28" rx="${round}" fill="${c(`--id-${d.color}`)}"/>`,
    text(p, { x: b.x + 23, y: b.y + 26 }, d.initials, {
      size: 11,
      weight: 600,
      fill: c(`--id-${d.color}-on`),
      anchor: "middle",
    }),
    text(p, { x: b.x + 45, y: b.y + (d.model ? 20 : 26) }, cut(d.name, inner, `600 13px ${p.sans}`, p.measure), {
      size: 13,
      weight: 600,
      fill: c("--text"),
    }),
    text(p, { x: b.x + 45, y: b.y + 35 }, cut(d.model, inner, `11px ${p.mono}`, p.measure), {
      size: 11,
      mono: true,
      fill: c("--text-3"),
    }),
    text(p, { x: b.x + 9, y: b.y + 61.5 }, cut(foot, b.w - 18, `12px ${p.sans}`, p.measure), {
      size: 12,
      fill: c("--idle"),
    }),
    "</g>",
  ].join("");
}

function note(n: NoteFlowNode, b: Box, p: PictureInput): string {
  const c = p.colors;
  const lines = noteLines(n, b.w, p).map((l, i) =>
    text(p, { x: b.x + 11, y: b.y + 21 + i * noteLine }, l, { size: noteFont, fill: c("--text") }),
  );
  return `<g><rect x="${num(b.x + 0.5)}" y="${num(b.y + 0.5)}" width="${num(b.w - 1)}" height="${num(b.h - 1)}" rx="2" fill="${c("--note")}" stroke="${c("--note-line")}"/>${lines.join("")}</g>`;
}

function frame(n: GroupFlowNode, b: Box, p: PictureInput): string {
  const c = p.colors,
    g = n.data.group,
    color = g.color ? c(`--id-${g.color}`) : c("--line-2");
  const name = cut(g.name ?? g.id, b.w - 16, `500 12px ${p.sans}`, p.measure);
  return `<g><rect x="${num(b.x + 0.5)}" y="${num(b.y + 0.5)}" width="${num(b.w - 1)}" height="${num(b.h - 1)}" rx="8" fill="${color}" fill-opacity=".07" stroke="${color}"/>${text(p, { x: b.x + 9, y: b.y + 18 }, name, { size: 12, weight: 500, fill: c("--text-2") })}</g>`;
}

/** A folded group: its name, and the faces of who is inside. */
function folded(n: FoldedFlowNode, b: Box, p: PictureInput): string {
  const c = p.colors,
    { group: g, faces, count } = n.data,
    color = g.color ? c(`--id-${g.color}`) : c("--line-control");
  const face = (f: (typeof faces)[number], i: number) =>
    `<rect x="${num(b.x + 9 + i * 24)}" y="${num(b.y + 48)}" width="20" height="18" rx="4" fill="${c(`--id-${f.color}`)}"/>` +
    text(p, { x: b.x + 19 + i * 24, y: b.y + 60.5 }, f.initials, {
      size: 9,
      weight: 600,
      fill: c(`--id-${f.color}-on`),
      anchor: "middle",
    });
  const more =
    count > faces.length
      ? text(p, { x: b.x + 11 + faces.length * 24, y: b.y + 61 }, `+${count - faces.length}`, {
          size: 12,
          fill: c("--text-3"),
        })
      : "";
  return (
    `<g><rect x="${num(b.x + 6)}" y="${num(b.y + 5)}" width="${b.w - 12}" height="${b.h}" rx="${round}" fill="${c("--surface")}" stroke="${c("--line-2")}"/>` +
    `<rect x="${num(b.x + 0.5)}" y="${num(b.y + 0.5)}" width="${b.w - 1}" height="${b.h - 1}" rx="${round}" fill="${c("--surface")}" stroke="${c("--line-2")}"/>` +
    `<rect x="${num(b.x + 9)}" y="${num(b.y + 8)}" width="28" height="28" rx="${round}" fill="${color}"/>` +
    text(p, { x: b.x + 45, y: b.y + 26 }, cut(g.name ?? g.id, b.w - 54, `600 13px ${p.sans}`, p.measure), {
      size: 13,
      weight: 600,
      fill: c("--text"),
    }) +
    faces.map(face).join("") +
    more +
    "</g>"
  );
}

/** The attributes of a kind's line: its color, width, dashes and ends. */
function strokeOf(kind: LineKind, p: PictureInput): string {
  const { width, dash, round, end } = kindStyle[kind],
    sign = `url(#${end}-${kind})`;
  return (
    ` stroke="${p.colors(kindToken(kind))}" stroke-width="${width}"` +
    (dash.length ? ` stroke-dasharray="${dash.join(" ")}"` : "") +
    (round ? ' stroke-linecap="round"' : "") +
    (end && isMutual(kind) ? ` marker-start="${sign}"` : "") +
    (end ? ` marker-end="${sign}"` : "")
  );
}

function lineOf(
  e: FlowEdge,
  boxes: ReadonlyMap<string, Box>,
  p: PictureInput,
): { path: string; label: string; around: Box } | undefined {
  const a = boxes.get(e.source),
    b = boxes.get(e.target),
    d = e.data;
  if (!a || !b || !d) return undefined;
  const line = curve(a, b, d.shift, d.way),
    mid = line.at(d.spot),
    c = p.colors;
  const path = `<path d="${line.d.replace(/-?\d+(\.\d+)?/g, (n) => num(Number(n)))}" fill="none"${strokeOf(d.kind, p)}/>`;
  const words = d.count ? String(d.count) : d.label ? cut(d.label, 170, `11px ${p.sans}`, p.measure) : "";
  const w = words ? p.measure(words, `11px ${p.sans}`) + 10 : 0;
  const around: Box = { x: Math.min(mid.x - w / 2, mid.x), y: mid.y - 9, w, h: 18 };
  const label = words
    ? `<rect x="${num(around.x)}" y="${num(around.y)}" width="${num(w)}" height="18" rx="3" fill="${c("--canvas")}"/>${text(p, { x: mid.x, y: mid.y + 4 }, words, { size: 11, fill: c("--text-2"), anchor: "middle" })}`
    : "";
  return { path, label, around };
}

function markers(p: PictureInput): string {
  const c = p.colors,
    box =
      'viewBox="0 0 10 10" refY="5" markerWidth="10" markerHeight="10" orient="auto-start-reverse" markerUnits="userSpaceOnUse"';
  const signs = {
    arrow: (tone: string) => `refX="9" ${box}><path d="M1 1.5L9 5L1 8.5z" fill="${tone}"/>`,
    ring: (tone: string) =>
      `refX="8" ${box}><circle cx="5" cy="5" r="3" fill="${c("--canvas")}" stroke="${tone}" stroke-width="1.6"/>`,
    gem: (tone: string) => `refX="9.5" ${box}><path d="M.5 5L5 1.5L9.5 5L5 8.5z" fill="${tone}"/>`,
  };
  const made = drawnKinds.flatMap((kind) => {
    const { end } = kindStyle[kind];
    return end ? [`<marker id="${end}-${kind}" ${signs[end](c(kindToken(kind)))}</marker>`] : [];
  });
  return `<defs>${made.join("")}</defs>`;
}
