import { describe, expect, it } from "vitest";
import {
  addAgent,
  assignFaces,
  facesAfter,
  faceById,
  changeConnection,
  connect,
  connectionKey,
  duplicate,
  findAgent,
  freeId,
  freeKind,
  freeSpot,
  idFor,
  wholeTeam,
  agentsById,
  hasConnection,
  idFault,
  KINDS,
  LINE_ROOM,
  marksOf,
  mindOf,
  moveItems,
  NODE_H,
  NODE_W,
  noFaces,
  nothing,
  readingOrder,
  refusal,
  removeChosen,
  renameAgent,
  speaking,
  speaksA2A,
  stillThere,
  updateAgents,
  withRemoved,
  type Change,
  type Topology,
} from ".";

const team = (): Topology => ({
  agents: [
    {
      id: "lead",
      name: "Lead",
      connections: [
        { targetId: "dev", type: "command" },
        { targetId: "qa", type: "x-custom", extra: { keep: 1 } },
      ],
    },
    { id: "dev", name: "Dev", connections: [{ targetId: "qa", type: "communication" }] },
    { id: "qa", name: "QA" },
  ],
  layout: { lead: { x: 100, y: 0 }, dev: { x: 0, y: 120 }, qa: { x: 212, y: 118 } },
  groups: [{ id: "g", members: ["dev", "qa"] }],
  notes: [{ id: "n", text: "hi", x: 5, y: 5 }],
});

describe("connection kinds", () => {
  it("offers command first, then what is still free", () => {
    expect(freeKind(team(), "qa", "lead")).toBe("command");
    expect(freeKind(team(), "lead", "dev")).toBe("communication");
    let t = team();
    for (const kind of KINDS.slice(1)) t = connect(t, { from: "lead", kind, to: "dev" });
    expect(freeKind(t, "lead", "dev")).toBeNull();
  });
  it("takes communication as the same from either end", () => {
    expect(hasConnection(team(), { from: "qa", kind: "communication", to: "dev" })).toBe(true);
    expect(refusal(team(), { from: "qa", kind: "communication", to: "dev" })).toBe("exists");
    expect(refusal(team(), { from: "qa", kind: "command", to: "lead" })).toBeNull();
  });
  it("lets a connection change its kind or direction, but not into an existing connection", () => {
    const c = { from: "lead", kind: "command", to: "dev" },
      both = connect(team(), { from: "lead", kind: "review", to: "dev" });
    expect(refusal(team(), { ...c, kind: "review" }, c)).toBeNull();
    expect(refusal(team(), c, c)).toBeNull();
    expect(refusal(both, { ...c, kind: "review" }, c)).toBe("exists");
    expect(
      refusal(
        team(),
        { from: "qa", kind: "communication", to: "dev" },
        { from: "dev", kind: "communication", to: "qa" },
      ),
    ).toBeNull();
  });
  it("refuses oneself and the unknown", () => {
    expect(refusal(team(), { from: "qa", kind: "review", to: "qa" })).toBe("self");
    expect(refusal(team(), { from: "qa", kind: "review", to: "nobody" })).toBe("missing");
  });
});

describe("edits", () => {
  it("share what they did not touch", () => {
    const t = team(),
      next = updateAgents(t, ["dev"], { name: "Developer" });
    expect(next.agents[0]).toBe(t.agents[0]);
    expect(next.agents[1]?.name).toBe("Developer");
    expect(t.agents[1]?.name).toBe("Dev");
    expect(moveItems(t, { agents: { qa: { x: 1.4, y: 2.6 } } }).layout?.qa).toEqual({ x: 1, y: 3 });
  });
  it("take an emptied field away", () =>
    expect("name" in (updateAgents(team(), ["dev"], { name: "" }).agents[1] ?? {})).toBe(false));
  it("remove an agent with everything that speaks of it", () => {
    const t = removeChosen(team(), { ...nothing, agents: ["qa"] });
    expect(JSON.stringify(t)).not.toContain("qa");
    expect(t.agents).toHaveLength(2);
  });
  it("rename an id everywhere", () => {
    const t = renameAgent(team(), "qa", "tester");
    expect(JSON.stringify(t)).not.toContain('"qa"');
    expect(findAgent(t, "dev")?.connections?.[0]?.targetId).toBe("tester");
    expect(t.layout?.tester).toEqual({ x: 212, y: 118 });
    expect(t.groups?.[0]?.members).toEqual(["dev", "tester"]);
  });
  it("change a connection in place and keep what they do not know", () => {
    const c = { from: "lead", kind: "x-custom", to: "qa" };
    const t = changeConnection(team(), c, { label: "L" });
    expect(findAgent(t, "lead")?.connections?.[1]).toEqual({
      targetId: "qa",
      type: "x-custom",
      label: "L",
      extra: { keep: 1 },
    });
    expect(findAgent(changeConnection(team(), c, { from: "dev" }), "dev")?.connections).toHaveLength(2);
  });
  it("will not change a connection into one that exists", () => {
    const t = team();
    expect(changeConnection(t, { from: "lead", kind: "command", to: "dev" }, { kind: "x-custom", to: "qa" })).toBe(t);
  });
  it("duplicate agents with the connections among them only", () => {
    const { topology, chosen } = duplicate(team(), { ...nothing, agents: ["dev", "qa"] });
    expect(chosen.agents).toEqual(["dev-1", "qa-1"]);
    expect(findAgent(topology, "dev-1")?.connections).toEqual([{ targetId: "qa-1", type: "communication" }]);
  });
  it("forget a choice of what is gone", () => {
    const c = {
      agents: ["qa", "gone"],
      connections: ["connection:lead:command:dev", "connection:lead:review:dev"],
      notes: ["n"],
      groups: ["h"],
    };
    expect(stillThere(team(), c)).toEqual({
      agents: ["qa"],
      connections: ["connection:lead:command:dev"],
      notes: ["n"],
      groups: [],
    });
    const all = { ...nothing, agents: ["qa"], groups: ["g"] };
    expect(stillThere(team(), all)).toBe(all);
  });
  it("read rows from the top, each from the left", () => expect(readingOrder(team())).toEqual(["lead", "dev", "qa"]));
  it("find free ids and say what is wrong with one", () => {
    expect(freeId(team(), "dev")).toBe("dev-1");
    expect(freeId(team(), "調査")).toBe("agent-1");
    expect(freeId(team(), "調査", ["agent-1", "agent-2"])).toBe("agent-3");
    expect(freeId(team(), "Boss", ["boss"])).toBe("boss-1");
    expect(idFault(team(), "dev")).toBe("taken");
    expect(idFault(team(), "dev", "dev")).toBeNull();
    expect(idFault(team(), "Dev Two")).toBe("shape");
    expect(idFault(team(), "_helper")).toBeNull(); // the hub takes it, too
    expect(idFault(team(), "")).toBe("empty");
  });
});

describe("faces", () => {
  it("are of the same color wherever an agent is shown: in any team, at any place of it", () => {
    const t = team(),
      faces = assignFaces(noFaces, t.agents),
      turned = assignFaces(noFaces, [...t.agents].reverse()),
      without = removeChosen(t, { ...nothing, agents: ["lead"] });
    for (const { id } of t.agents)
      expect([turned.get(id)?.color, faceById(id).color]).toEqual([faces.get(id)?.color, faces.get(id)?.color]);
    expect(facesAfter(faces, t.agents, without.agents).get("qa")).toEqual(faces.get("qa"));
    // As the hub's small pictures have it.
    expect(
      ["lead", "researcher", "writer", "backend", "reviewer", "agent-12", "調査"].map((id) => faceById(id).color),
    ).toEqual([2, 6, 1, 12, 3, 3, 6]);
  });
  it("have letters of their own, in both scripts", () => {
    const faces = assignFaces(noFaces, [
      { id: "a", name: "Researcher" },
      { id: "b", name: "Reviewer" },
      { id: "c", name: "リーダー" },
      { id: "d", name: "リサーチャー" },
      { id: "e", name: "pm bot" },
    ]);
    expect([...faces.values()].map((f) => f.initials)).toEqual(["RE", "RV", "リ", "リサ", "PB"]);
  });
});

describe("change marks", () => {
  const changes: Change[] = [
    { id: "layout:dev", op: "moved", subject: "layout", agent: "dev" },
    { id: "agent:dev:model", op: "changed", subject: "agent", agent: "dev", field: "model", before: "old" },
    { id: "agent:gone", op: "removed", subject: "agent", agent: "gone" },
    {
      id: "connection:lead:command:gone",
      op: "removed",
      subject: "connection",
      agent: "lead",
      target: "gone",
      kind: "command",
    },
    { id: "layout:qa", op: "moved", subject: "layout", agent: "qa" },
  ];
  it("let the stronger mark win and remember what was", () => {
    const m = marksOf(changes);
    expect(m.agents.get("dev")).toEqual({ mark: "chg", was: { model: "old" } });
    expect(m.agents.get("qa")?.mark).toBe("mov");
    expect(m.connections.get(connectionKey({ from: "lead", kind: "command", to: "gone" }))).toBe("del");
  });
  it("do not call an agent new for its place on the canvas", () => {
    const m = marksOf([{ id: "layout:lead", op: "added", subject: "layout", agent: "lead" }]);
    expect(m.agents.get("lead")).toBeUndefined();
  });
  it("do not call an agent removed that only lost its place", () => {
    const m = marksOf([{ id: "layout:lead", op: "removed", subject: "layout", agent: "lead" }]);
    expect(m.agents.get("lead")).toBeUndefined();
  });
  it("put removed things back for team", () => {
    const base = connect(addAgent(team(), { id: "gone", name: "Gone" }, { x: 9, y: 400 }), {
      from: "lead",
      kind: "command",
      to: "gone",
    });
    const t = withRemoved(team(), base, changes);
    expect(findAgent(t, "gone")?.name).toBe("Gone");
    expect(t.layout?.gone).toEqual({ x: 9, y: 400 });
    expect(hasConnection(t, { from: "lead", kind: "command", to: "gone" })).toBe(true);
    expect(withRemoved(t, base, changes).agents).toHaveLength(t.agents.length);
  });
  it("draw what was removed beside what stands, never over it", () => {
    const base = {
      ...team(),
      agents: [...team().agents, { id: "gone", name: "Gone" }],
      layout: { ...team().layout, gone: { x: 104, y: 6 } },
    };
    const { gone: ghost, lead, qa, dev } = withRemoved(team(), base, changes).layout ?? {};
    for (const p of [lead, qa, dev])
      expect(Math.abs((ghost?.x ?? 0) - (p?.x ?? 0)) >= 180 || Math.abs((ghost?.y ?? 0) - (p?.y ?? 0)) >= 70).toBe(
        true,
      );
  });
});

describe("an agent elsewhere that speaks A2A", () => {
  it("has a2a+ before its address, once", () => {
    expect(speaking("https://a.example/b", true)).toBe("a2a+https://a.example/b");
    expect(speaking("a2a+https://a.example/b", true)).toBe("a2a+https://a.example/b");
    expect(speaking("a2a+https://a.example/b", false)).toBe("https://a.example/b");
    expect([speaksA2A("a2a+http://x"), speaksA2A("http://x"), speaksA2A(undefined)]).toEqual([true, false, false]);
  });

  it("is shown by where it is, and every other agent by its model", () => {
    expect(mindOf({ url: "a2a+https://a.example:8/b", model: "openai/gpt-5" })).toBe("A2A · a.example:8");
    expect(mindOf({ url: "https://a.example:8", model: "openai/gpt-5" })).toBe("gpt-5");
    expect(mindOf({})).toBe("");
  });
});

describe("a new agent", () => {
  const t = { agents: [{ id: "agent-1" }, { id: "lead" }] };
  it("has an id that follows its name while the id is one that was made for it", () => {
    expect(idFor(t, "agent-1", "Quality gate")).toBe("quality-gate");
    expect(idFor(t, "agent-1", "Lead")).toBe("lead-1");
    expect(idFor(t, "agent-1", "調査")).toBe("agent-1");
    expect(idFor(t, "agent-1", "調査1")).toBe("agent-1");
    expect(idFor(t, "agent-1", "Agent 7")).toBe("agent-1");
    expect(idFor(t, "lead", "Boss")).toBe("lead");
  });
});

describe("freeSpot", () => {
  const box = { x: 0, y: 0, w: 100, h: 40 };
  it("is the wished place where nothing stands, else the nearest free one", () => {
    expect(freeSpot({ taken: [] }, box)).toEqual({ x: 0, y: 0 });
    const at = freeSpot({ taken: [box] }, box);
    expect(Math.abs(at.y) >= 48 || Math.abs(at.x) >= 108).toBe(true);
    expect(Math.hypot(at.x, at.y)).toBeLessThan(60);
  });
  it("leaves an agent the room that the line to its neighbor needs, and less where there is none", () => {
    const node = { x: 0, y: 0, w: NODE_W, h: NODE_H },
      at = freeSpot({ taken: [node] }, node, LINE_ROOM);
    expect(Math.max(Math.abs(at.x) - NODE_W, Math.abs(at.y) - NODE_H)).toBeGreaterThanOrEqual(LINE_ROOM);
    const crowded = Array.from({ length: 60 * 60 }, (_, i) => ({
      ...node,
      x: ((i % 60) - 30) * (NODE_W + 80),
      y: (Math.floor(i / 60) - 30) * (NODE_H + 100),
    }));
    const between = freeSpot({ taken: crowded }, node, LINE_ROOM);
    expect(crowded.every((b) => Math.abs(b.x - between.x) >= NODE_W || Math.abs(b.y - between.y) >= NODE_H)).toBe(true);
  });
});

it("a team without agents may be answered as null", () => {
  expect(agentsById(wholeTeam({ agents: null })).size).toBe(0);
});
