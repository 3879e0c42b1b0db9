import type { Agent, AgentID } from "./types";

/** How an agent is recognised everywhere: its colour, 1 to 12, and its letters. */
export type Face = { colour: number; initials: string };
export type Faces = ReadonlyMap<AgentID, Face>;
export const noFaces: Faces = new Map();

/**
 * Gives each agent its face. The colour goes by order of creation and stays with the agent, also when
 * another before it goes; the letters follow its name and differ from those of agents before it.
 */
export function assignFaces(had: Faces, agents: readonly Agent[]): Faces {
  const taken = new Set<string>();
  const next = new Map(had);
  let n = had.size, same = true;
  for (const a of agents) {
    const old = had.get(a.id);
    const face: Face = { colour: old?.colour ?? (n++ % 12) + 1, initials: letters(a, taken) };
    taken.add(face.initials);
    if (old?.initials === face.initials) continue;
    same = false;
    next.set(a.id, face);
  }
  return same ? had : next;
}

/** Carries faces over a change in which an agent got another id: same place in the list. */
export function carryFaces(had: Faces, before: readonly Agent[], after: readonly Agent[]): Faces {
  // Most edits change neither an id nor a name.
  if (before.length === after.length && after.every((a, i) => a === before[i] || (a.id === before[i]?.id && a.name === before[i].name)) && after.every((a) => had.has(a.id))) return had;
  const map = new Map(had);
  if (before.length === after.length) {
    after.forEach((a, i) => {
      const old = before[i]?.id, face = old === undefined || old === a.id || had.has(a.id) ? undefined : had.get(old);
      if (face && !after.some((x) => x.id === old)) map.set(a.id, face);
    });
  }
  return assignFaces(map.size === had.size ? had : map, after);
}

export const faceOf = (faces: Faces, id: AgentID): Face => faces.get(id) ?? { colour: 1, initials: letters({ id }) };

/** A face for an agent of which only the id is known: the same everywhere. */
export const faceById = (id: AgentID): Face => ({ colour: ([...id].reduce((n, c) => (n * 31 + (c.codePointAt(0) ?? 0)) >>> 0, 7) % 12) + 1, initials: letters({ id: id || "?" }) });

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
  const two = words.length > 1 ? `${[...(words[0] ?? "")][0] ?? ""}${[...(words[1] ?? "")][0] ?? ""}` : [...name].slice(0, 2).join("");
  return [two, ...[...name].slice(2).filter((c) => /[\p{L}\p{N}]/u.test(c)).map((c) => first + c)].map((x) => x.toUpperCase());
}

export const displayName = (agent: Pick<Agent, "id" | "name">) => agent.name || agent.id;
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
  return url && speaksA2A(url) ? `A2A · ${speaking(url, false).replace(/^https?:\/\//, "").replace(/\/.*$/, "")}` : shortModel(model ?? "");
}

/** A model without its provider, as a node shows it. */
export const shortModel = (model: string) => model.slice(model.indexOf("/") + 1);
