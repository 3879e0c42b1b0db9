import type { CSSProperties } from "react";
import { KINDS, type DrawnKind } from "../topology";

/** What a line is: a kind of connection, or a binding from a channel to the agent that answers it. */
export type LineKind = DrawnKind | "route";

export type KindStyle = {
  width: number;
  /** Lengths of its dashes and gaps. */
  dash: readonly number[];
  /** The dashes of a team seen from far, where a line is thinner. */
  farDash?: readonly number[];
  /** Its dashes are dots. */
  round?: boolean;
  /** The sign at its target; a kind that joins two agents alike has it at both. */
  end?: "arrow" | "ring" | "gem";
};

/** How the line of a kind looks. Its color is --kind-… in tokens.css, its name is in i18n/…/kind.json. */
export const kindStyle: Readonly<Record<LineKind, KindStyle>> = {
  command: { width: 1.5, dash: [], end: "arrow" },
  communication: { width: 1.5, dash: [6, 4], end: "ring" },
  review: { width: 2, dash: [0.1, 4.5], farDash: [1.5, 4], round: true, end: "gem" },
  unknown: { width: 1.5, dash: [12, 4] },
  route: { width: 1.5, dash: [8, 3, 2, 3], end: "arrow" },
};

export const drawnKinds: readonly LineKind[] = [...KINDS, "unknown", "route"];

/** The color of a kind, as a token. */
export const kindToken = (kind: LineKind) => `--kind-${kind}`;

const variables = Object.fromEntries(
  drawnKinds.map((kind) => {
    const { width, dash, round } = kindStyle[kind];
    const style = {
      "--tone": `var(${kindToken(kind)})`,
      "--line-width": width,
      "--line-dash": dash.join(" ") || "none",
      "--line-cap": round ? "round" : "butt",
    };
    return [kind, style as CSSProperties];
  }),
) as Readonly<Record<LineKind, CSSProperties>>;

/** What css/lines.css needs to draw an .edge of a kind. */
export const edgeStyle = (kind: LineKind): CSSProperties => variables[kind];
