import type { Agent, Topology } from "../src/topology/types.ts";

type Row = [id: string, en: string, ja: string, model: string, x: number, y: number];
const rows: Row[] = [
  ["lead", "Lead", "リーダー", "openai/gpt-5-mini", 296, 24],
  ["docs", "Writer", "ライター", "ollama/qwen3:8b", 528, 134],
  ["arch", "Architect", "アーキテクト", "anthropic/claude-sonnet-4.5", 296, 134],
  ["scout", "Researcher", "リサーチャー", "ollama/llama3.1:70b", 64, 134],
  ["api", "Backend", "バックエンド", "local/codex-cli", 64, 278],
  ["web", "Frontend", "フロントエンド", "local/codex-cli", 296, 278],
  ["test", "Tester", "テスター", "ollama/qwen3-coder:30b", 528, 278],
  ["review", "Reviewer", "レビュアー", "ollama/qwen3:8b", 180, 412],
  ["ops", "Ops", "運用", "openai/gpt-5-mini", 528, 412],
];
const lines: [string, string, string][] = [
  ["lead", "command", "scout"],
  ["lead", "command", "arch"],
  ["lead", "command", "docs"],
  ["arch", "command", "api"],
  ["arch", "command", "web"],
  ["test", "command", "ops"],
  ["scout", "communication", "arch"],
  ["api", "communication", "web"],
  ["review", "review", "api"],
  ["review", "review", "web"],
];

export function sampleTeam(ja: boolean): Topology {
  const agents: Agent[] = rows.map(([id, en, jp, model]) => ({
    id,
    name: ja ? jp : en,
    model,
    connections: lines.filter((l) => l[0] === id).map(([, type, targetId]) => ({ type, targetId })),
    ...(id === "review"
      ? {
          role: ja ? "変更を読むだけで、書き込まない" : "Reads changes, never writes them",
          workspace: "~/.openclaw/workspace-api",
        }
      : {}),
    ...(id === "api" ? { workspace: "~/.openclaw/workspace-api" } : {}),
  }));
  return {
    name: ja ? "ショップ開発チーム" : "Shop team",
    agents,
    layout: Object.fromEntries(rows.map(([id, , , , x, y]) => [id, { x, y }])),
    groups: [{ id: "build", name: ja ? "開発" : "Build", members: ["api", "web", "test"] }],
    notes: [
      {
        id: "n1",
        text: ja
          ? "本番に触れるのは運用だけ。リリース前に必ず確認します。"
          : "Only Ops may touch production. It asks before every release.",
        x: 740,
        y: 24,
      },
    ],
  };
}

/** Teams of ten under a lead each, the leads in a chain of command: about two connections an agent. */
export function bigTeam(n: number): Topology {
  const agents: Agent[] = Array.from({ length: n }, (_, i) => {
    const lead = i % 10 === 0,
      to = (type: string, k: number) => (k < n ? [{ type, targetId: `a${k}` }] : []);
    return {
      id: `a${i}`,
      name: `Agent ${i}`,
      model: "openai/gpt-5-mini",
      connections: lead
        ? [...[1, 2, 3, 4, 5].flatMap((k) => to("command", i + k)), ...to("command", i + 10)]
        : i % 10 < 5
          ? [...to("command", i + 5), ...(i % 10 < 4 ? to("communication", i + 1) : [])]
          : i % 2
            ? to("review", i - 5)
            : [],
    };
  });
  const place = (i: number) => {
    const team = Math.floor(i / 10),
      k = i % 10,
      x = (team % 8) * 1180,
      y = Math.floor(team / 8) * 420;
    return k === 0 ? { x: x + 424, y } : { x: x + ((k - 1) % 5) * 212, y: y + (k <= 5 ? 120 : 240) };
  };
  return { name: `Team of ${n}`, agents, layout: Object.fromEntries(agents.map((a, i) => [a.id, place(i)])) };
}
