import type { TFunction } from "i18next";
import { connectionKey, noMarks, nothing, type Chosen, type Faces, type Topology } from "../../topology";
import { newCache } from "../flowPicture";
import { toEdges } from "../toEdges";
import { toNodes } from "../toNodes";
import { wordsOf } from "../words";
import { pictureOf, type Drawn } from "./svg";
import { browserMeasure } from "./text";
import { colorsOf, type Theme } from "./theme";

export type PictureWish = {
  topology: Topology;
  faces: Faces;
  /** Only these, with the connections among them. */ only?: Chosen;
  theme: Theme;
  background: boolean;
};

/** The part of a drawing that is chosen: agents and notes, the connections among the agents, and groups that are whole. */
export function partOf(t: Topology, c: Chosen): Topology {
  const lines = new Set(c.connections);
  const ends = t.agents.flatMap((a) =>
    (a.connections ?? [])
      .filter((x) => lines.has(connectionKey({ from: a.id, kind: x.type, to: x.targetId })))
      .flatMap((x) => [a.id, x.targetId]),
  );
  const groups = (t.groups ?? []).filter((g) => c.groups.includes(g.id));
  const ids = new Set([...c.agents, ...ends, ...groups.flatMap((g) => g.members ?? [])]);
  return {
    ...t,
    agents: t.agents.filter((a) => ids.has(a.id)),
    notes: t.notes?.filter((n) => c.notes.includes(n.id)),
    groups: t.groups?.filter((g) => !!g.members?.length && g.members.every((m) => ids.has(m))),
  };
}

/** Draws a picture of a drawing as SVG, from what is drawn, not from what is on the screen. */
export function drawPicture(t: TFunction, w: PictureWish): Drawn {
  const topology = w.only ? partOf(w.topology, w.only) : w.topology;
  const picture = { topology, marks: noMarks, faces: w.faces, chosen: nothing, words: wordsOf(t) };
  const colors = colorsOf(w.theme);
  return pictureOf({
    nodes: toNodes(picture, newCache()),
    edges: toEdges(picture, newCache()),
    colors,
    measure: browserMeasure(),
    title: topology.name ?? "",
    background: w.background,
    sans: colors("--font"),
    mono: colors("--mono"),
  });
}

/** What a browser can surely draw at once; a larger picture is made smaller. */
const mostSide = 16_000,
  mostArea = 64_000_000;

/** The scale a picture can have at most, if it is asked for `wish`. */
export function scaleFor({ width, height }: Pick<Drawn, "width" | "height">, wish: number): number {
  return Math.min(wish, mostSide / Math.max(width, height), Math.sqrt(mostArea / (width * height)));
}

/** The picture as PNG. */
export async function pngOf(drawn: Drawn, wish: number): Promise<Blob> {
  const scale = scaleFor(drawn, wish);
  const url = URL.createObjectURL(new Blob([drawn.svg], { type: "image/svg+xml" }));
  try {
    const img = new Image();
    img.src = url;
    await img.decode();
    const el = document.createElement("canvas");
    el.width = Math.round(drawn.width * scale);
    el.height = Math.round(drawn.height * scale);
    const g = el.getContext("2d");
    if (!g) throw new Error("this browser cannot draw pictures");
    g.drawImage(img, 0, 0, el.width, el.height);
    return await new Promise((resolve, reject) => {
      el.toBlob((b) => {
        if (b) resolve(b);
        else reject(new Error("the picture is too large for this browser"));
      }, "image/png");
    });
  } finally {
    URL.revokeObjectURL(url);
  }
}
