import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  AGENT_FIELDS,
  cleanClip,
  clipOf,
  clipSize,
  clipText,
  duplicate,
  findAgent,
  nothing,
  pasteClip,
  readClip,
  type Clip,
  type Topology,
} from ".";
import { withoutSecrets } from "./secrets";

const team = (): Topology => ({
  agents: [
    {
      id: "lead",
      name: "Lead",
      connections: [
        { targetId: "dev", type: "command", label: "builds" },
        { targetId: "qa", type: "x-custom", extra: { keep: 1 } },
      ],
    },
    {
      id: "dev",
      name: "Dev",
      tools: { allow: ["read"] },
      temperature: 0.2,
      extra: { odd: [1, { two: 2 }] },
      connections: [{ targetId: "qa", type: "communication" }],
    },
    { id: "qa", name: "QA" },
  ],
  layout: { lead: { x: 100, y: 0 }, dev: { x: 40, y: 120 }, qa: { x: 252, y: 118 } },
  groups: [
    { id: "outer", name: "All" },
    { id: "g", name: "Build", parent: "outer", members: ["dev", "qa"], color: 3 },
    { id: "h", members: ["lead", "qa"] },
  ],
  notes: [{ id: "n", text: "hi", x: 35, y: 400 }],
});
const read = (c: Clip) => {
  const r = readClip(clipText(c));
  if (typeof r === "string") throw new Error(r);
  return r;
};

describe("a clip", () => {
  it("keeps every field of an agent", () => {
    const values = {
      text: "x",
      texts: ["x", "y"],
      number: 0.5,
      whole: 3,
      flag: true,
      tools: { allow: ["x"] },
      files: { "SOUL.md": { content: "x" } },
    };
    const agent = Object.fromEntries(Object.entries(AGENT_FIELDS).map(([name, type]) => [name, values[type]]));
    const c = clipOf({ ...team(), agents: [{ id: "a", ...agent }] }, { ...nothing, agents: ["a"] });
    expect(read(c).agents).toEqual([{ id: "a", ...agent }]);
  });

  it("OC-2 has a file's content, and not the gateway's text that its edit began from", () => {
    const files = { "SOUL.md": { content: "new", basedOn: "h0", base: "a secret that was removed" } };
    const c = clipOf({ ...team(), agents: [{ id: "a", files }] }, { ...nothing, agents: ["a"] });
    expect(c.agents).toEqual([{ id: "a", files: { "SOUL.md": { content: "new", basedOn: "h0" } } }]);
  });

  it("contains the selection, the connections within it, whole groups, and positions from its corner", () => {
    const c = clipOf(team(), { ...nothing, agents: ["dev", "qa"], notes: ["n"] });
    expect(c.agents.map((a) => [a.id, a.connections?.map((x) => x.targetId)])).toEqual([
      ["dev", ["qa"]],
      ["qa", undefined],
    ]);
    expect(c.groups).toEqual([
      { id: "outer", name: "All" },
      { id: "g", name: "Build", parent: "outer", members: ["dev", "qa"], color: 3 },
    ]);
    expect(c.layout).toEqual({ dev: { x: 5, y: 2 }, qa: { x: 217, y: 0 } });
    expect(c.notes).toEqual([{ id: "n", text: "hi", x: 0, y: 282 }]);
  });
  it("brings the agents of a group that is chosen, and leaves a group that is not whole", () => {
    expect(clipOf(team(), { ...nothing, groups: ["g"] }).agents.map((a) => a.id)).toEqual(["dev", "qa"]);
    const c = clipOf(team(), { ...nothing, agents: ["dev"] });
    expect(c.groups).toBeUndefined();
    expect(c.agents[0]?.connections).toBeUndefined();
  });
  it("survives being written and read, in every field", () => {
    const c = clipOf(team(), { ...nothing, agents: ["lead", "dev", "qa"], notes: ["n"] });
    expect(read(c)).toEqual(c);
  });
  it("is found within a chat message, and foreign text differs from a broken clip", () => {
    const text = clipText(clipOf(team(), { ...nothing, agents: ["dev"] }));
    expect(readClip(`Look at this:\n\`\`\`json\n${text}\`\`\`\nnice?`)).toMatchObject({ agents: [{ id: "dev" }] });
    expect(["hello", "{}", '{"agents":[]}', ""].map(readClip)).toEqual(["foreign", "foreign", "foreign", "foreign"]);
    expect(readClip(text.slice(0, -20))).toBe("broken");
    expect(readClip(text.replace('"version": 1', '"version": 2'))).toBe("newer");
    for (const bad of [
      '{"agentflow":"clip"}',
      '{"agentflow":"clip","version":1,"agents":[{"id":7}]}',
      '{"agentflow":"clip","version":1,"agents":[{"id":"a"},{"id":"a"}]}',
      '{"agentflow":"clip","version":1,"agents":{}}',
      '{"x":{"agentflow":"clip"}}',
    ])
      expect([bad, readClip(bad)]).toEqual([bad, "broken"]);
  });
  it("drops keys of another shape than ours, so that the hub takes what is pasted", () => {
    expect(
      readClip(
        '{"agentflow":"clip","version":1,"agents":[{"id":"a","name":3,"role":"r","nonsense":true,"connections":[{"targetId":"b","type":"command","label":4}]}],"layout":{"a":{"x":"1"}}}',
      ),
    ).toEqual({
      agentflow: "clip",
      version: 1,
      agents: [{ id: "a", role: "r", connections: [{ targetId: "b", type: "command" }] }],
      layout: { a: { x: 0, y: 0 } },
      groups: [],
      notes: [],
    });
  });
  it("APP-5 places agents whose clip says nothing of places, as where a person has written it, and has a size", () => {
    const agents = ["a", "__proto__", "c"].map((id) => ({ id }));
    const c = readClip(JSON.stringify({ agentflow: "clip", version: 1, agents }));
    if (typeof c === "string") throw new Error(c);
    expect(Object.values(clipSize(c)).every((n) => Number.isFinite(n) && n > 0)).toBe(true);
    const pasted = pasteClip({ agents: [] }, c, { x: 10, y: 20 }).topology.layout ?? {};
    expect(Object.values(pasted).map((p) => [p.x, p.y])).toEqual([
      [10, 20],
      [222, 20],
      [434, 20],
    ]);
  });
});

describe("pasting", () => {
  it("keeps ids that are free and makes the others unique, everywhere they are spoken of", () => {
    const c = read(clipOf(team(), { ...nothing, agents: ["dev", "qa"], notes: ["n"] }));
    const fresh = pasteClip({ agents: [] }, c, { x: 10, y: 20 });
    expect(fresh.chosen).toEqual({ ...nothing, agents: ["dev", "qa"], notes: ["n"] });
    expect(fresh.topology.layout).toEqual({ dev: { x: 15, y: 22 }, qa: { x: 227, y: 20 } });

    const { topology: t, chosen } = pasteClip(team(), c, { x: 1000, y: 1000 });
    expect(chosen.agents).toEqual(["dev-1", "qa-1"]);
    expect(findAgent(t, "dev-1")).toMatchObject({
      name: "Dev",
      connections: [{ targetId: "qa-1", type: "communication" }],
      extra: { odd: [1, { two: 2 }] },
    });
    const [outer, inner] = t.groups?.slice(3) ?? [];
    expect(inner).toMatchObject({ name: "Build", parent: outer?.id, members: ["dev-1", "qa-1"], color: 3 });
    expect(new Set(t.groups?.map((g) => g.id)).size).toBe(5);
    expect(t.notes?.map((n) => [n.id === "n", n.x, n.y])).toEqual([
      [true, 35, 400],
      [false, 1000, 1282],
    ]);
    expect(t.agents.slice(0, 3)).toEqual(team().agents);
  });
  it("keeps a copy of one member in its group, and unlocks copies", () => {
    const t = team(),
      locked: Topology = { ...t, layout: { ...t.layout, dev: { x: 40, y: 120, locked: true } } };
    const { topology } = duplicate(locked, { ...nothing, agents: ["dev"] });
    expect(topology.groups?.find((g) => g.id === "g")?.members).toEqual(["dev", "qa", "dev-1"]);
    expect(topology.layout?.["dev-1"]).toEqual({ x: 72, y: 152 });
  });
  it("leaves out connections that lead to nobody", () => {
    const clip = readClip(
      '{"agentflow":"clip","version":1,"agents":[{"id":"a","connections":[{"targetId":"lead","type":"command"}]}]}',
    ) as Clip;
    expect(findAgent(pasteClip(team(), clip, { x: 0, y: 0 }).topology, "a")?.connections).toBeUndefined();
  });
  it("stays fast where a thousand get new ids", () => {
    const agents = Array.from({ length: 1000 }, (_, i) => ({
      id: `agent-${i + 1}`,
      connections: [{ targetId: `agent-${((i + 1) % 1000) + 1}`, type: "command" }],
    }));
    const big: Topology = { agents, layout: Object.fromEntries(agents.map((a, i) => [a.id, { x: i, y: i }])) };
    const { topology, chosen } = duplicate(big, { ...nothing, agents: agents.map((a) => a.id) });
    expect(new Set(topology.agents.map((a) => a.id)).size).toBe(2000);
    expect(findAgent(topology, chosen.agents[999] ?? "")?.connections?.[0]?.targetId).toBe(chosen.agents[0]);
  });
});

describe("secrets", () => {
  const cases = JSON.parse(
    readFileSync(new URL("../../../backend/team/lint/testdata/secrets.json", import.meta.url), "utf8").replace(
      /<(\d+)>/g,
      (_, n: string) => "a1".repeat(Number(n) / 2),
    ),
  ) as { extra: Record<string, unknown>; secret: boolean }[];
  it("are what the linter takes for one", () => {
    expect(cases.length).toBeGreaterThan(25);
    for (const c of cases) {
      const left: string[] = [];
      const clean = withoutSecrets(c.extra, "", (at) => left.push(at));
      expect([JSON.stringify(c.extra), left.length > 0]).toEqual([JSON.stringify(c.extra), c.secret]);
      if (!c.secret) expect(clean).toEqual(c.extra);
    }
  });
  it("never go along, and are named by their place", () => {
    const key = `ghp_${"a1".repeat(15)}`;
    const t: Topology = {
      agents: [
        {
          id: "a",
          persona: `Use ${key} for pushes.`,
          secretEnv: "GH_TOKEN",
          connections: [{ targetId: "a2", type: "command", label: key }],
          extra: { env: { API_KEY: "sesame" } },
        },
        { id: "a2", secretEnv: "hunter-2!" },
      ],
      layout: { a: { x: 0, y: 0 }, a2: { x: 1, y: 1 } },
      notes: [{ id: "n", text: key, x: 0, y: 0 }],
    };
    const { clip, left } = cleanClip(clipOf(t, { ...nothing, agents: ["a", "a2"], notes: ["n"] }));
    expect(left.map((l) => `${l.agent ?? ""} ${l.field}`)).toEqual([
      "a persona",
      "a extra.env.API_KEY",
      "a connections.label",
      "a2 secretEnv",
      " text",
    ]);
    for (const gone of [key, "sesame", "hunter"]) expect(clipText(clip)).not.toContain(gone);
    expect(clip.agents[0]).toMatchObject({ persona: "Use [removed] for pushes.", secretEnv: "GH_TOKEN" });
    expect(readClip(clipText(clip))).toMatchObject({ agents: [{ id: "a" }, { id: "a2" }] });
  });
});
