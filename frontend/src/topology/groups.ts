import { FRAME } from "../api/constants";
import { bounds, NODE_H, NODE_W, type Box } from "./box";
import type { Chosen } from "./edit";
import { freshId } from "./freshId";
import type { AgentID, Group, Point, Topology } from "./types";

// Groups and locks: pure, and on the canvas only.

export const groupId = () => `group-${freshId(4)}`;
export const findGroup = (t: Topology, id: string | undefined): Group | undefined => t.groups?.find((g) => g.id === id);
export const groupOf = (t: Topology, agent: AgentID): Group | undefined =>
  t.groups?.find((g) => g.members?.includes(agent));
export const nestedIn = (t: Topology, id: string): Group[] => (t.groups ?? []).filter((g) => g.parent === id);

/** Everybody in a group and in those nested in it. */
export function insideOf(t: Topology, id: string): AgentID[] {
  return [id, ...nestedIn(t, id).map((g) => g.id)].flatMap((g) => findGroup(t, g)?.members ?? []);
}

const framed = (boxes: readonly Box[]): Box => {
  const b = bounds(boxes);
  return { x: b.x - FRAME.side, y: b.y - FRAME.head, w: b.w + 2 * FRAME.side, h: b.h + FRAME.head + FRAME.foot };
};
const nodeAt = (p: Point): Box => ({ x: p.x, y: p.y, w: NODE_W, h: NODE_H });
/** The frame of an empty group, sized for one agent. It must be visible so that it can be filled or deleted. */
const emptyFrame = (corner: Point) => framed([nodeAt({ x: corner.x + FRAME.side, y: corner.y + FRAME.head })]);
const corner = (boxes: readonly Box[], below: number): Point => {
  const b = bounds(boxes);
  return Number.isFinite(b.x) ? { x: b.x, y: b.y + b.h + below } : { x: 0, y: below };
};

/** The frame of each group. One without anybody stands at the foot of the group around it, else in a row below the drawing. */
export function framesOf(t: Topology): Map<string, Box> {
  const there = new Set(t.agents.map((a) => a.id)),
    frames = new Map<string, Box>();
  const put = (g: Group, b: Box) => {
    frames.set(g.id, b);
    return b;
  };
  const members = (g: Group) =>
    (g.members ?? []).flatMap((id) => {
      const p = there.has(id) && t.layout?.[id];
      return p ? [nodeAt(p)] : [];
    });
  /** The frames of empty groups side by side. */
  const row = (groups: readonly Group[], { x, y }: Point) =>
    groups.reduce<Box[]>(
      (had, g) => [
        ...had,
        put(g, emptyFrame({ x: had.reduce((at, b) => Math.max(at, b.x + b.w + FRAME.side), x), y })),
      ],
      [],
    );
  const bare: { group: Group; nested: Group[] }[] = [];
  for (const group of t.groups ?? []) {
    if (findGroup(t, group.parent)) continue;
    const nested = nestedIn(t, group.id).map((g) => ({ g, inside: members(g) })),
      empty = nested.flatMap(({ g, inside }) => (inside.length ? [] : [g]));
    const inside = [
      ...members(group),
      ...nested.flatMap(({ g, inside: boxes }) => (boxes.length ? [put(g, framed(boxes))] : [])),
    ];
    if (inside.length) put(group, framed([...inside, ...row(empty, corner(inside, FRAME.side))]));
    else bare.push({ group, nested: empty });
  }
  const at = bare.length
    ? corner([...Object.values(t.layout ?? {}).map(nodeAt), ...frames.values()], 48)
    : { x: 0, y: 0 };
  for (const { group, nested } of bare) {
    const frame = put(
      group,
      nested.length ? framed(row(nested, { x: at.x + FRAME.side, y: at.y + FRAME.head })) : emptyFrame(at),
    );
    at.x += frame.w + 32;
  }
  return frames;
}

/** The part of a frame in which it has room for agents without growing. */
export const frameInside = (f: Box): Box => ({
  x: f.x + FRAME.side,
  y: f.y + FRAME.head,
  w: f.w - 2 * FRAME.side,
  h: f.h - FRAME.head - FRAME.foot,
});

/** Where a folded group stands: in the middle of its frame. */
export const foldedAt = (frame: Box): Point => ({
  x: Math.round(frame.x + (frame.w - NODE_W) / 2),
  y: Math.round(frame.y + (frame.h - NODE_H) / 2),
});

/** Maps agents inside folded groups to the outermost one. `open` names groups that count as unfolded. */
export function foldedInto(t: Topology, open: ReadonlySet<string> = new Set()): Map<AgentID, string> {
  const into = new Map<AgentID, string>();
  const folded = (g: Group | undefined) => (g?.collapsed && !open.has(g.id) ? g.id : undefined);
  for (const g of t.groups ?? []) {
    const by = folded(findGroup(t, g.parent)) ?? folded(g);
    if (by) for (const id of g.members ?? []) into.set(id, by);
  }
  return into;
}

const mapGroups = (t: Topology, f: (g: Group) => Group): Topology => ({ ...t, groups: (t.groups ?? []).map(f) });

/** Takes away groups in which an edit left nobody. */
function withoutEmptied(before: Topology, t: Topology): Topology {
  const had = new Set((before.groups ?? []).filter((g) => insideOf(before, g.id).length).map((g) => g.id));
  const groups = (t.groups ?? []).filter((g) => !had.has(g.id) || insideOf(t, g.id).length);
  return groups.length === t.groups?.length ? t : { ...t, groups };
}

/** Puts agents into a group, or out of any. */
export function putInto(t: Topology, agents: readonly AgentID[], group: string | undefined): Topology {
  const all = new Set(agents);
  const coming = agents.filter((id) => !findGroup(t, group)?.members?.includes(id));
  return withoutEmptied(
    t,
    mapGroups(t, (g) => {
      if (g.id === group) return coming.length ? { ...g, members: [...(g.members ?? []), ...coming] } : g;
      return g.members?.some((id) => all.has(id)) ? { ...g, members: g.members.filter((id) => !all.has(id)) } : g;
    }),
  );
}

export type GroupRefusal = "nobody" | "deep";

/** Makes a group of what is chosen, where it stands: of agents of one group inside that, of groups around them. */
export function makeGroup(
  t: Topology,
  chosen: Pick<Chosen, "agents" | "groups">,
  made: Pick<Group, "id" | "name" | "color">,
): Topology | GroupRefusal {
  const groups = chosen.groups.flatMap((id) => findGroup(t, id) ?? []);
  const inChosen = new Set(groups.flatMap((g) => insideOf(t, g.id)));
  const agents = chosen.agents.filter((id) => !inChosen.has(id) && t.agents.some((a) => a.id === id));
  if (!agents.length && !groups.length) return "nobody";
  if (groups.some((g) => g.parent || nestedIn(t, g.id).length)) return "deep";
  const homes = [...new Set(agents.map((id) => groupOf(t, id)?.id))],
    parent = homes.length === 1 && !groups.length ? findGroup(t, homes[0]) : undefined;
  if (parent?.parent) return "deep";
  const around = new Set(groups.map((g) => g.id));
  const group: Group = { ...made, members: agents, ...(parent ? { parent: parent.id } : {}) };
  const with_ = mapGroups(t, (g) =>
    around.has(g.id)
      ? { ...g, parent: made.id }
      : g.members?.some((m) => agents.includes(m))
        ? { ...g, members: g.members.filter((m) => !agents.includes(m)) }
        : g,
  );
  return withoutEmptied(t, { ...with_, groups: [...(with_.groups ?? []), group] });
}

/** Takes frames away; who was inside stays, in the group around if there is one. */
export function ungroup(t: Topology, ids: readonly string[]): Topology {
  let next = t;
  for (const id of ids) {
    const gone = findGroup(next, id);
    if (!gone) continue;
    const up = gone.parent;
    const groups = (next.groups ?? [])
      .filter((g) => g.id !== id)
      .map((g): Group => {
        if (g.parent === id) {
          const { parent: _, ...rest } = g;
          return rest;
        }
        return g.id === up ? { ...g, members: [...(g.members ?? []), ...(gone.members ?? [])] } : g;
      });
    next = { ...next, groups };
  }
  return next;
}

/** Puts a group into another, or out of it. */
export function nestGroup(t: Topology, id: string, into: string | undefined): Topology | GroupRefusal {
  const g = findGroup(t, id);
  if (!g || g.parent === into || id === into) return t;
  if (into && (nestedIn(t, id).length || findGroup(t, into)?.parent)) return "deep";
  return withoutEmptied(
    t,
    mapGroups(t, (x) => {
      if (x.id !== id) return x;
      const { parent: _, ...rest } = x;
      return into ? { ...rest, parent: into } : rest;
    }),
  );
}

/** Updates a group's properties. Empty values, 0 and false remove a property, as in the file. */
export function updateGroup(t: Topology, id: string, patch: Partial<Omit<Group, "id" | "members">>): Topology {
  return mapGroups(t, (g) => {
    if (g.id !== id) return g;
    const next: Group = { ...g, ...patch };
    for (const k of Object.keys(patch) as (keyof typeof patch)[]) if (!next[k]) delete next[k];
    return next;
  });
}

/** The deepest frame around a point, without those named; folded ones take in nobody. */
export function frameAt(
  t: Topology,
  frames: ReadonlyMap<string, Box>,
  p: Point,
  but: ReadonlySet<string> = new Set(),
): string | undefined {
  const folded = (g: Group | undefined) => !!g?.collapsed;
  const at = (t.groups ?? []).filter((g) => {
    const f = frames.get(g.id);
    return (
      f &&
      !but.has(g.id) &&
      !folded(g) &&
      !folded(findGroup(t, g.parent)) &&
      p.x >= f.x &&
      p.x <= f.x + f.w &&
      p.y >= f.y &&
      p.y <= f.y + f.h
    );
  });
  return (at.find((g) => g.parent) ?? at[0])?.id;
}

// --- locks

export type Held = { agents: ReadonlySet<AgentID>; notes: ReadonlySet<string>; groups: ReadonlySet<string> };

/** What must not be moved or deleted: what is locked, what is in a locked group, and groups that hold such. */
export function heldOf(t: Topology): Held {
  const locked = (g: Group | undefined) => !!g?.locked;
  const agents = new Set(
    Object.entries(t.layout ?? {})
      .filter(([, p]) => p.locked)
      .map(([id]) => id),
  );
  for (const g of t.groups ?? [])
    if (locked(g) || locked(findGroup(t, g.parent))) for (const id of g.members ?? []) agents.add(id);
  const groups = new Set(
    (t.groups ?? [])
      .filter(
        (g) =>
          locked(g) ||
          locked(findGroup(t, g.parent)) ||
          (agents.size > 0 && insideOf(t, g.id).some((id) => agents.has(id))),
      )
      .map((g) => g.id),
  );
  return { agents, notes: new Set((t.notes ?? []).filter((n) => n.locked).map((n) => n.id)), groups };
}

/** Whether each of the chosen things is locked directly, not just through its group. */
export function allLocked(t: Topology, c: Chosen): boolean {
  const found = [
    ...c.agents.map((id) => !!t.layout?.[id]?.locked),
    ...c.notes.map((id) => !!t.notes?.find((n) => n.id === id)?.locked),
    ...c.groups.map((id) => !!findGroup(t, id)?.locked),
  ];
  return found.length > 0 && found.every(Boolean);
}

const lock = <T extends { locked?: boolean }>(x: T, on: boolean): T => {
  if (!!x.locked === on) return x;
  const { locked: _, ...rest } = x;
  return (on ? { ...rest, locked: true } : rest) as T;
};

export function setLocked(t: Topology, c: Chosen, on: boolean): Topology {
  const notes = new Set(c.notes),
    groups = new Set(c.groups);
  const layout = { ...t.layout };
  for (const id of c.agents) layout[id] = lock(layout[id] ?? { x: 0, y: 0 }, on);
  return {
    ...t,
    layout: c.agents.length ? layout : t.layout,
    notes: notes.size ? t.notes?.map((n) => (notes.has(n.id) ? lock(n, on) : n)) : t.notes,
    groups: groups.size ? t.groups?.map((g) => (groups.has(g.id) ? lock(g, on) : g)) : t.groups,
  };
}

/** What of the chosen may be deleted. */
export function loose(t: Topology, c: Chosen): Chosen {
  const held = heldOf(t);
  const own = (id: string) => {
    const g = findGroup(t, id);
    return !!g?.locked || !!findGroup(t, g?.parent)?.locked;
  };
  return {
    ...c,
    agents: c.agents.filter((id) => !held.agents.has(id)),
    notes: c.notes.filter((id) => !held.notes.has(id)),
    groups: c.groups.filter((id) => !own(id)),
  };
}
