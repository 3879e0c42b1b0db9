import { worthTelling } from "@/flow/changes";
import type { Change, Choice, Conflict, Preview } from "@/topology";

/** A decision, with what it was made about: it counts only while that stands. */
export type Made = Record<string, { choice: Choice; about: string }>;

export const aboutOf = (c: Conflict) => JSON.stringify([c.reason, c.base ?? null, c.mine ?? null, c.theirs ?? null]);

/** The choices as the hub takes them. */
export const choicesOf = (made: Made): Record<string, Choice> =>
  Object.fromEntries(Object.entries(made).map(([id, m]) => [id, m.choice]));

/** Drops decisions about things that are no conflict any more, or that have become another one. The same object if all stand. */
export function stillValid(made: Made, conflicts: readonly Conflict[]): Made {
  const about = new Map(conflicts.map((c) => [c.id, aboutOf(c)]));
  const kept = Object.entries(made).filter(([id, m]) => about.get(id) === m.about);
  return kept.length === Object.keys(made).length ? made : Object.fromEntries(kept);
}

export function decide(made: Made, c: Conflict, choice: Choice): Made {
  if (choice === "both" && !c.keepBoth) return made;
  return { ...made, [c.id]: { choice, about: aboutOf(c) } };
}

export const decideAll = (made: Made, conflicts: readonly Conflict[], choice: "mine" | "theirs"): Made =>
  conflicts.reduce((m, c) => decide(m, c, choice), made);

export const undecided = (made: Made, conflicts: readonly Conflict[]): Conflict[] =>
  conflicts.filter((c) => made[c.id]?.about !== aboutOf(c));

/** What an apply would take into the draft: what merges automatically, and what was decided for the gateway. */
export const takenIn = ({ merge }: Preview): Change[] => [
  ...worthTelling(merge?.fromTheirs),
  ...worthTelling((merge?.conflicts ?? []).filter((c) => c.choice === "theirs").map(asChange)),
  ...worthTelling((merge?.conflicts ?? []).filter(joins).map((c) => asChange({ ...c, mine: undefined }))),
];

/** Both sides have another agent with one ID, and both stay: the gateway's joins the team under it. */
export const joins = (c: Conflict): boolean => c.choice === "both" && c.subject === "agent" && !c.field;

const asChange = ({ id, subject, agent, field, item, kind, target, mine, theirs }: Conflict): Change => {
  const whole = !field,
    op = whole && (mine ?? null) === null ? "added" : whole && (theirs ?? null) === null ? "removed" : "changed";
  return { id, op, subject, agent, field, item, kind, target, before: mine, after: theirs };
};

/** The sides a conflict offers, in the order of the keys 1 2 3 4. */
export const sidesOf = (c: Conflict): Choice[] => [
  "mine",
  "theirs",
  "base",
  ...(c.keepBoth ? (["both"] as const) : []),
];

type Fields = Record<string, unknown>;
const isFields = (v: unknown): v is Fields => typeof v === "object" && v !== null && !Array.isArray(v);
const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

/** One side's value as text; of a whole agent only what sets the three apart. Null where that side has nothing. */
export function sideText(c: Conflict, side: "base" | "mine" | "theirs"): string | null {
  const v = c[side];
  if (v === undefined || v === null) return null;
  if (!isFields(v) || c.field) return pretty(v);
  const others = (["base", "mine", "theirs"] as const).map((s) => c[s]).filter(isFields);
  const differs = (k: string) => others.some((o) => !same(o[k], v[k]));
  const keys = Object.keys(v).filter((k) => others.length > 1 && differs(k) && k !== "id");
  return keys.length ? keys.map((k) => `${k}: ${pretty(v[k])}`).join("\n") : pretty(v);
}

export function pretty(v: unknown): string {
  return typeof v === "string" ? v : (JSON.stringify(v, null, 2) ?? "");
}
