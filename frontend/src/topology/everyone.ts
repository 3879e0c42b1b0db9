import { NODE_W, NOTE_W, type Box } from "./box";
import { framesOf } from "./groups";
import type { Change, Subject, Topology } from "./types";

// The settings that every agent of a gateway inherits, as the canvas shows them.

/** The size of the node of everyone, and its distance from the team: room for arcs between agents of the top row. */
export const EVERYONE_BOX = { w: 280, h: 52, apart: 72 };

/** Whether a change is of the settings of everyone. Messages between agents are among them: there is one list. */
export const isOfEveryone = ({ subject }: { subject?: Subject }): boolean =>
  subject === "defaults" || subject === "messages";

const isMap = (v: unknown): v is Record<string, unknown> => typeof v === "object" && v !== null && !Array.isArray(v);

/** The number of values in a setting's value: a map has those of its entries. */
export function countSet(v: unknown): number {
  if (!isMap(v)) return v === undefined ? 0 : 1;
  const keys = Object.keys(v);
  return keys.length ? keys.reduce((n, key) => n + countSet(v[key]), 0) : 1;
}

/** What is set for everyone: the model, the thinking level, and the number of all values. */
export type EveryoneSets = { model?: string; thinking?: string; count: number };

const textOf = (v: unknown) => (typeof v === "string" && v.trim() ? v.trim() : undefined);

export function everyoneSets({ defaults, messages }: Pick<Topology, "defaults" | "messages">): EveryoneSets {
  const { model, thinkingDefault } = defaults ?? {};
  return {
    model: textOf(isMap(model) ? model.primary : model),
    thinking: textOf(thinkingDefault),
    count: [defaults, messages].flatMap((v) => Object.values(v ?? {})).reduce((n: number, v) => n + countSet(v), 0),
  };
}

/**
 * Where the node of everyone is: above the middle of the team. It follows from the team's layout, as the channels' lane
 * does, so it is nowhere saved: no edit, merge or gateway has to know of it, and it never covers what is placed.
 */
export function everyoneBox(t: Topology): Box {
  let left = Infinity,
    right = -Infinity,
    top = Infinity;
  // Without lists in between: each key that is typed in a team of a thousand agents comes here.
  const see = (x: number, y: number, w: number) => {
    left = Math.min(left, x);
    right = Math.max(right, x + w);
    top = Math.min(top, y);
  };
  for (const a of t.agents) {
    const p = t.layout?.[a.id]; // one without a place is drawn from the corner of the canvas on
    see(p?.x ?? 0, p?.y ?? 0, NODE_W);
  }
  for (const n of t.notes ?? []) see(n.x, n.y, n.width || NOTE_W);
  if (t.groups?.length) for (const f of framesOf(t).values()) see(f.x, f.y, f.w);
  const { w, h, apart } = EVERYONE_BOX;
  if (top === Infinity) see(0, 0, 0);
  return { x: Math.round((left + right - w) / 2), y: Math.round(top - apart - h), w, h };
}

/** Whether settings of everyone differ from what was applied. */
export const everyoneChanged = (changes: readonly Change[]): boolean => changes.some(isOfEveryone);
