import { plainName } from "./plainName";
import type { Agent, AgentID } from "./types";

/** How an agent is recognized everywhere: its color, 1 to 12, and its letters or its emoji. */
export type Face = { color: number; initials: string };
export type Faces = ReadonlyMap<AgentID, Face>;
export const noFaces: Faces = new Map();

/** The hub's small pictures have the same (backend/team/thumbnail). It begins with a number by which no template has a color twice. */
const colors = 12,
  begin = 693;
/** The color of an agent, by its id alone: so it is the same on every screen, whichever team it is shown in. */
export const colorOf = (id: AgentID): number =>
  ([...id].reduce((n, c) => (n * 31 + (c.codePointAt(0) ?? 0)) >>> 0, begin) % colors) + 1;

const isMap = (v: unknown): v is Record<string, unknown> => typeof v === "object" && v !== null;
const parts = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The emoji that an agent has by its identity on the gateway, if it is a single one. */
export function emojiOf(agent: Pick<Agent, "extra">): string | undefined {
  const identity = agent.extra?.identity,
    emoji = isMap(identity) && typeof identity.emoji === "string" ? identity.emoji.trim() : "";
  if (!emoji || emoji.length > 32 || !/\p{Extended_Pictographic}|\p{Regional_Indicator}/u.test(emoji)) return undefined;
  return [...parts.segment(emoji)].length === 1 ? emoji : undefined;
}

/** How often an agent's own heartbeat wakes it, as the gateway writes it: "30m". */
export function heartbeatOf(agent: Pick<Agent, "extra">): string | undefined {
  const heartbeat = agent.extra?.heartbeat,
    every = isMap(heartbeat) && typeof heartbeat.every === "string" ? heartbeat.every.trim() : "";
  return /[1-9]/.test(every) ? every : undefined;
}

/** Gives each agent its face: its emoji, else letters of its name that differ from those of agents before it. */
export function assignFaces(had: Faces, agents: readonly Agent[]): Faces {
  const taken = new Set<string>();
  const next = new Map(had);
  let same = true;
  for (const a of agents) {
    const old = had.get(a.id),
      initials = emojiOf(a) ?? letters(a, taken);
    taken.add(initials);
    if (old?.initials === initials) continue;
    same = false;
    next.set(a.id, { color: colorOf(a.id), initials });
  }
  return same ? had : next;
}

/** The faces after an edit: most change neither an id nor a name nor an emoji. */
export function facesAfter(had: Faces, before: readonly Agent[], after: readonly Agent[]): Faces {
  const same =
    before.length === after.length &&
    after.every(
      (a, i) =>
        (a === before[i] ||
          (a.id === before[i]?.id && a.name === before[i].name && emojiOf(a) === emojiOf(before[i]))) &&
        had.has(a.id),
    );
  return same ? had : assignFaces(had, after);
}

/** A face for an agent of which only the id is known. */
export const faceById = (id: AgentID): Face => ({ color: colorOf(id), initials: letters({ id: id || "?" }) });
export const faceOf = (faces: Faces, id: AgentID): Face => faces.get(id) ?? faceById(id);

const wide = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/u;

const wished = new WeakMap<Pick<Agent, "id" | "name">, string[]>();
/** Two letters of a Latin name, one character of a Japanese one; other letters of the name where those are taken. */
function letters(agent: Pick<Agent, "id" | "name">, taken: ReadonlySet<string> = new Set()): string {
  let wishes = wished.get(agent);
  if (!wishes) wished.set(agent, (wishes = wishesOf(agent)));
  return wishes.find((w) => !taken.has(w)) ?? wishes[0] ?? "?";
}

function wishesOf(agent: Pick<Agent, "id" | "name">): string[] {
  const name = (agent.name || agent.id).trim();
  const first = [...name][0] ?? "?";
  if (wide.test(first)) return [first, ...[...name].slice(1).map((c) => first + c)];
  const words = name.split(/[\s_-]+/).filter(Boolean);
  const two =
    words.length > 1
      ? `${[...(words[0] ?? "")][0] ?? ""}${[...(words[1] ?? "")][0] ?? ""}`
      : [...name].slice(0, 2).join("");
  return [
    two,
    ...[...name]
      .slice(2)
      .filter((c) => /[\p{L}\p{N}]/u.test(c))
      .map((c) => first + c),
  ].map((x) => x.toUpperCase());
}

export const displayName = (agent: Pick<Agent, "id" | "name">) => plainName(agent.name || agent.id);
/** What stands before the address of an agent elsewhere that speaks A2A. */
const a2a = "a2a+";

export const speaksA2A = (url: string | undefined): boolean => !!url?.startsWith(a2a);

/** The same address, of an agent that speaks A2A or of one that does not. */
export function speaking(url: string, yes: boolean): string {
  const plain = speaksA2A(url) ? url.slice(a2a.length) : url;
  return yes ? a2a + plain : plain;
}

/** What answers for an agent: its model, or where the A2A agent is that does. */
export function mindOf({ model, url }: Pick<Agent, "model" | "url">): string {
  return url && speaksA2A(url)
    ? `A2A · ${speaking(url, false)
        .replace(/^https?:\/\//, "")
        .replace(/\/.*$/, "")}`
    : shortModel(model ?? "");
}

/** A model without its provider, as a node shows it. */
export const shortModel = (model: string) => model.slice(model.indexOf("/") + 1);
