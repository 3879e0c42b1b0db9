import { describe, expect, it } from "vitest";
import { assignFaces, noFaces, nothing, noMarks, type Topology } from "../../topology";
import { newCache } from "../flowPicture";
import { toEdges } from "../toEdges";
import { toNodes } from "../toNodes";
import { partOf, scaleFor } from "./draw";
import { pictureOf } from "./svg";
import { cut, wrap } from "./text";

const measure = (s: string, font: string) =>
  [...s].reduce((w, c) => w + (c > "\u2fff" ? 1 : 0.5) * Number(/(\d+)px/.exec(font)?.[1] ?? 10), 0);
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
const team: Topology = {
  name: "調査 & <team>",
  agents: [
    {
      id: "a",
      name: "とても長い名前のエージェントの名前です",
      role: "R\u0001ole",
      connections: [{ targetId: "b", type: "command", label: "asks" }],
    },
    {
      id: "b",
      connections: [
        { targetId: "a", type: "review" },
        { targetId: "c", type: "communication" },
      ],
    },
    { id: "c", model: "openai/gpt-5-mini" },
  ],
  layout: { a: { x: -300, y: 0 }, b: { x: 0, y: 200 }, c: { x: 900, y: 500 } },
  notes: [{ id: "n", x: 400, y: 0, width: 152, text: "一行目\nSecond line of the note" }],
  groups: [{ id: "g", name: "G", color: 3, members: ["a", "b"] }],
};
const draw = (t: Topology, background = true) => {
  const p = { topology: t, marks: noMarks, faces: assignFaces(noFaces, t.agents), chosen: nothing, words };
  return pictureOf({
    nodes: toNodes(p, newCache()),
    edges: toEdges(p, newCache()),
    colors: (c) => `[${c}]`,
    measure,
    title: t.name ?? "",
    background,
    sans: "sans-serif",
    mono: "monospace",
  });
};

describe("a picture", () => {
  it("APP-1 holds every agent, line, note and group, and cuts nothing at its edge", () => {
    const { svg, width, height } = draw(team);
    expect(svg.match(/data-agent=/g)).toHaveLength(3);
    expect(svg.match(/marker-end=/g)).toHaveLength(3);
    const ring = "url(#ring-communication)";
    for (const [kind, look] of [
      ["command", '1.5" marker-end="url(#arrow-command)"'],
      ["communication", `1.5" stroke-dasharray="6 4" marker-start="${ring}" marker-end="${ring}"`],
      ["review", '2" stroke-dasharray="0.1 4.5" stroke-linecap="round" marker-end="url(#gem-review)"'],
    ])
      expect(svg).toContain(`stroke="[--kind-${kind}]" stroke-width="${look}`);
    expect(svg).toContain("gpt-5-mini");
    expect(svg).toContain("一行目");
    expect(svg).toContain(">asks<");
    const [, x, y] = /viewBox="(\S+) (\S+) /.exec(svg)!.map(Number);
    expect(x! <= -332 && y! <= -32 && x! + width >= 900 + 180 + 32 && y! + height >= 500 + 70 + 32).toBe(true);
  });
  it("is well formed whatever the names are, and without a ground where none is wanted", () => {
    const { svg } = draw(team);
    expect(svg).toContain("<title>調査 &#38; &#60;team&#62;</title>");
    expect(svg).not.toContain("\u0001");
    expect(draw(team, false).svg.length).toBeLessThan(svg.length);
    expect(draw({ agents: [] }).svg).toContain("<svg");
  });
  it("of a part has the connections among it only", () => {
    const part = partOf(team, { ...nothing, agents: ["a", "b"], notes: ["n"] });
    expect([part.agents.map((a) => a.id), part.notes?.length, part.groups?.length]).toEqual([["a", "b"], 1, 1]);
    expect(draw(part).svg.match(/marker-end=/g)).toHaveLength(2);
  });
  it("is made smaller than asked for where a browser could not draw it", () => {
    expect(scaleFor({ width: 1000, height: 800 }, 2)).toBe(2);
    const s = scaleFor({ width: 20_000, height: 12_000 }, 2);
    expect(20_000 * s * 12_000 * s).toBeLessThanOrEqual(64_000_001);
  });
});

describe("text", () => {
  it("is cut between letters, never inside one", () => {
    expect(cut("short", 100, "10px x", measure)).toBe("short");
    expect(cut("とても長い名前です", 50, "10px x", measure)).toBe("とても長…");
    expect(cut("👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧", 60, "10px x", measure)).toMatch(/^(👩‍👩‍👧)*…$/u);
  });
  it("breaks at words and between Japanese letters, not before a full stop", () => {
    expect(wrap("one two three", 40, "10px x", measure)).toEqual(["one two", "three"]);
    for (const line of wrap("確認します。確認します。", 60, "10px x", measure)) expect(line).not.toMatch(/^。/);
    expect(wrap("a\n\nb", 40, "10px x", measure)).toEqual(["a", "", "b"]);
  });
});
