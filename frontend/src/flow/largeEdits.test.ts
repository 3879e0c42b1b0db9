import { describe, expect, it } from "vitest";
import {
  addAgent,
  assignFaces,
  moveItems,
  noFaces,
  nothing,
  removeChosen,
  type Box,
  type Marks,
  type Topology,
} from "../topology";
import { changedPart, type Lines } from "./changedPart";
import { curve } from "./geometry";
import { boxOf } from "./nearLines";
import { newCache, type FlowCache, type FlowEdge, type Picture } from "./flowPicture";
import { toEdges } from "./toEdges";
import { toNodes } from "./toNodes";

const words = {
  idle: "Idle",
  added: "",
  removed: "",
  moved: "",
  was: () => "",
  changed: () => "",
  problem: () => "",
  spoken: () => "",
  note: () => "",
  kind: "",
  noteKind: "",
  groupKind: "",
  line: () => "",
  lineKind: "",
};
const across = 10,
  many = 200;
const id = (i: number) => `a${i % many}`;
const team: Topology = {
  agents: Array.from({ length: many }, (_, i) => ({
    id: id(i),
    connections: [
      { targetId: id(i + 1), type: "command" },
      { targetId: id(i % 9 ? i + across : i * 7 + 3), type: i % 2 ? "review" : "communication" },
    ],
  })),
  layout: Object.fromEntries(
    Array.from({ length: many }, (_, i) => [id(i), { x: (i % across) * 220, y: Math.floor(i / across) * 128 }]),
  ),
};

/** Numbers that are the same in every run. */
function dice(seed: number) {
  let n = seed;
  return (sides: number) => {
    n = (n * 1103515245 + 12345) % 2147483648;
    return n % sides;
  };
}
function edited(t: Topology, roll: (sides: number) => number): Topology {
  const one = t.agents[roll(t.agents.length)]!.id,
    at = { x: roll(2400), y: roll(2800) };
  switch (roll(5)) {
    case 0:
      return addAgent(t, { id: `n${roll(100_000)}`, connections: [{ targetId: one, type: "review" }] }, at);
    case 1:
      return removeChosen(t, { ...nothing, agents: [one] });
    case 2:
      return {
        ...t,
        groups: t.groups ? undefined : [{ id: "g", members: [one, id(7), id(8)], collapsed: roll(2) === 0 }],
      };
    default:
      return moveItems(t, { agents: { [one]: at } });
  }
}
const marked = (t: Topology): Marks => ({
  agents: new Map(),
  items: new Map(),
  connections: new Map(
    t.agents.flatMap((a) =>
      (a.connections ?? []).map((c) => [`connection:${a.id}:${c.type}:${c.targetId}`, "add"] as const),
    ),
  ),
});
const picture = (topology: Topology, highlight?: string[]): Picture => ({
  topology,
  marks: marked(topology),
  faces: assignFaces(noFaces, topology.agents),
  chosen: nothing,
  highlight,
  words,
});
const both = (p: Picture, cache: FlowCache): Lines => ({ nodes: toNodes(p, cache), edges: toEdges(p, cache) });

/** How far a sign on a line reaches. */
const sign = 12;
/** What a line looks like, and the box that it is drawn in, with what stands on it. */
function look({ nodes }: Lines, e: FlowEdge): { says: string; box: Box } | undefined {
  const from = nodes.find((n) => n.id === e.source),
    to = nodes.find((n) => n.id === e.target);
  if (!from || !to || !e.data) return undefined;
  const c = curve(boxOf(from), boxOf(to), e.data.shift, e.data.way),
    xs = c.cubics.flat().map((p) => p.x),
    ys = c.cubics.flat().map((p) => p.y),
    x = Math.min(...xs),
    y = Math.min(...ys);
  return {
    says: JSON.stringify([c.cubics, e.data.kind, e.data.mark, e.data.spot, e.data.path]),
    box: { x: x - sign, y: y - sign, w: Math.max(...xs) - x + 2 * sign, h: Math.max(...ys) - y + 2 * sign },
  };
}
const inside = (b: Box, part: Box | undefined) =>
  !!part && b.x >= part.x && b.y >= part.y && b.x + b.w <= part.x + part.w && b.y + b.h <= part.y + part.h;

describe("after an edit of a large team", { timeout: 60_000 }, () => {
  it.each([1, 2, 3, 4, 5])("APP-1 reused parts of the picture equal a picture made from nothing (%i)", (seed) => {
    const roll = dice(seed),
      cache = newCache();
    let t = team;
    both(picture(t), cache);
    for (let step = 0; step < 15; step++) {
      t = edited(t, roll);
      const p = picture(t),
        kept = toEdges(p, cache),
        anew = toEdges(p, newCache());
      expect(kept.map((e) => [e.id, e.data?.spot, e.data?.shift])).toEqual(
        anew.map((e) => [e.id, e.data?.spot, e.data?.shift]),
      );
    }
  });
  it.each([11, 12])(
    "APP-1 agents and lines after some moved equal those computed from scratch, and the others are left alone (%i)",
    (seed) => {
      const roll = dice(seed),
        cache = newCache(),
        first: Picture = {
          ...picture(team),
          chosen: { ...nothing, connections: ["connection:a3:command:a4", "connection:a40:command:a41"] },
        };
      let p = first,
        was = both(p, cache);
      for (let step = 0; step < 15; step++) {
        const moved = [id(roll(many)), id(roll(many))],
          locked = id(roll(many)),
          t = moveItems(p.topology, {
            agents: Object.fromEntries(moved.map((a) => [a, { x: roll(2400), y: roll(2800) }])),
          });
        p = {
          ...first,
          topology: { ...t, layout: { ...t.layout, [locked]: { ...t.layout![locked]!, locked: roll(2) === 0 } } },
        };
        const now = both(p, cache),
          fresh = both(p, newCache()),
          before = new Map(was.nodes.map((n) => [n.id, n])),
          kept = now.edges.filter((e) => was.edges.includes(e)).length;
        expect(now.nodes).toEqual(fresh.nodes);
        expect(now.edges).toEqual(fresh.edges);
        expect(fresh.edges.filter((e) => e.selected && e.sourceHandle).length).toBe(2);
        expect(
          now.nodes
            .filter((n) => before.get(n.id) !== n)
            .map((n) => n.id)
            .filter((n) => n !== locked && !moved.includes(n)),
        ).toEqual([]);
        expect(kept).toBeGreaterThan(many);
        was = now;
      }
    },
  );
  it.each([6, 7, 8, 9])("APP-1 everything that looks different lies in the part that is redrawn (%i)", (seed) => {
    const roll = dice(seed),
      cache = newCache();
    let t = team,
      was = both(picture(t), cache);
    for (let step = 0; step < 15; step++) {
      t = edited(t, roll);
      const now = both(picture(t, roll(3) ? undefined : [id(roll(many)), id(roll(many))]), cache),
        part = changedPart(was, now);
      const looks = ({ edges }: Lines, all: Lines) =>
        new Map(
          edges.flatMap((e) => {
            const l = look(all, e);
            return l ? [[e.id, l] as const] : [];
          }),
        );
      const before = looks(was, was),
        after = looks(now, now);
      for (const key of new Set([...before.keys(), ...after.keys()])) {
        const a = before.get(key),
          b = after.get(key);
        if (a?.says !== b?.says)
          for (const x of [a, b]) if (x) expect(inside(x.box, part), `${key} in step ${step}`).toBe(true);
      }
      was = now;
    }
  });
  it("APP-1 one agent that moves a little leaves most of the picture as it is, and a name all of it", () => {
    const cache = newCache(),
      was = both(picture(team), cache);
    const moved = both(picture(moveItems(team, { agents: { a55: { x: 1140, y: 660 } } })), cache),
      part = changedPart(was, moved)!;
    expect(part.w * part.h).toBeLessThan(0.3 * (across * 220) * (across * 128));
    const named = { ...team, agents: team.agents.map((a) => (a.id === "a3" ? { ...a, name: "Three" } : a)) };
    expect(changedPart(was, both(picture(named), newCache()))).toBeUndefined();
  });
});

it("APP-3 after another language was chosen, everything on the canvas has its name in it", () => {
  const named = (lang: string) => ({
    ...words,
    spoken: () => lang,
    note: () => lang,
    kind: lang,
    noteKind: lang,
  });
  const t: Topology = { agents: [{ id: "a" }], notes: [{ id: "n", text: "Note", x: 0, y: 0 }] },
    cache = newCache();
  for (const lang of ["en", "ja"])
    expect(
      toNodes({ ...picture(t), words: named(lang) }, cache).map((n) => [
        n.ariaLabel,
        n.domAttributes?.["aria-roledescription"],
      ]),
    ).toEqual([
      [lang, lang],
      [lang, lang],
    ]);
});
