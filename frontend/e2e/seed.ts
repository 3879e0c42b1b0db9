import type { Agent, Topology } from "../src/topology/types.ts";
import type { Hub } from "./hub.ts";

type Row = [id: string, en: string, ja: string, roleEn: string, roleJa: string, model: string, x: number, y: number];

const rows: Row[] = [
  ["lead", "Lead", "リーダー", "Coordinator", "Coordinator", "anthropic/claude-opus-4-6", 330, 0],
  [
    "research",
    "Researcher",
    "リサーチャー",
    "Finds out and names its sources",
    "調査し、必ず出典を示す",
    "openai/gpt-5-mini",
    0,
    144,
  ],
  [
    "arch",
    "Architect",
    "アーキテクト",
    "Decides how it is built",
    "設計を決める",
    "anthropic/claude-sonnet-4-6",
    220,
    144,
  ],
  [
    "docs",
    "Writer",
    "ライター",
    "Manuals and release notes",
    "マニュアルとリリースノート",
    "ollama/qwen3:8b",
    440,
    144,
  ],
  [
    "backend",
    "Backend",
    "バックエンド",
    "Orders, stock, payments",
    "受注・在庫・決済",
    "ollama/qwen3-coder:30b",
    0,
    296,
  ],
  ["frontend", "Frontend", "フロントエンド", "The shop's pages", "店舗の画面", "ollama/qwen3-coder:30b", 220, 296],
  ["qa", "Tester", "テスター", "Tries to break it", "壊すつもりで試す", "openai/gpt-5-mini", 440, 296],
  [
    "review",
    "Reviewer",
    "レビュアー",
    "Reads changes, never writes them",
    "変更を読むだけで、書かない",
    "anthropic/claude-sonnet-4-6",
    110,
    448,
  ],
  ["ops", "Ops", "運用", "Releases and watches", "リリースと監視", "openai/gpt-5-mini", 660, 144],
];

const lines: [from: string, type: string, to: string][] = [
  ["lead", "command", "research"],
  ["lead", "command", "arch"],
  ["lead", "command", "docs"],
  ["arch", "command", "backend"],
  ["arch", "command", "frontend"],
  ["arch", "command", "qa"],
  ["research", "communication", "arch"],
  ["backend", "communication", "frontend"],
  ["review", "review", "backend"],
  ["review", "review", "frontend"],
];

const personas: Record<string, [en: string, ja: string]> = {
  lead: [
    "You lead the shop team. Split each goal into parts, give every part to the agent that fits it best, and put the results together.",
    "あなたはショップ開発チームのリーダーです。依頼を分割し、最も適した担当に任せ、結果をまとめてください。",
  ],
  docs: [
    "You write for people in a hurry: short sentences, the main point first.",
    "忙しい人のために、結論から短い文で書いてください。",
  ],
  qa: [
    "Try to break what others built. Report steps, expectation and result.",
    "作られたものを壊すつもりで試し、手順、期待、結果を報告してください。",
  ],
};

/** The team of the pictures: a small shop's development team, as somebody might really run it. */
export function shopTeam(ja: boolean): Topology {
  const agents = rows.map(([id, en, jp, roleEn, roleJa, model]): Agent => ({
    id,
    name: ja ? jp : en,
    role: ja ? roleJa : roleEn,
    model,
    workspace: `~/.openclaw/workspace-${id}`,
    ...(personas[id] ? { persona: personas[id][ja ? 1 : 0] } : {}),
    ...(lines.some((l) => l[0] === id)
      ? { connections: lines.filter((l) => l[0] === id).map(([, type, targetId]) => ({ type, targetId })) }
      : {}),
  }));
  return {
    name: ja ? "ショップ開発チーム" : "Shop team",
    agents,
    layout: Object.fromEntries(rows.map(([id, , , , , , x, y]) => [id, { x, y }])),
    notes: [
      {
        id: "rule",
        text: ja
          ? "本番に触れるのは運用だけ。リリース前に必ず人が確認します。"
          : "Only Ops may touch production, and a person says yes before every release.",
        x: 440,
        y: 448,
        width: 180,
      },
    ],
  };
}

/** The same team in groups: one in another, one folded, somebody locked, and a colored note. */
export function groupedTeam(ja: boolean): Topology {
  const t = shopTeam(ja),
    layout = { ...t.layout };
  const at: Record<string, [number, number]> = {
    lead: [480, 0],
    research: [0, 150],
    ops: [0, 330],
    review: [0, 470],
    arch: [480, 150],
    backend: [320, 330],
    frontend: [556, 330],
    qa: [820, 330],
    docs: [820, 150],
  };
  for (const [id, [x, y]] of Object.entries(at)) layout[id] = { x, y };
  layout.lead = { x: 480, y: 0, locked: true };
  return {
    ...t,
    layout,
    groups: [
      { id: "build", name: ja ? "開発" : "Build", color: 1, members: ["arch", "docs", "qa"] },
      { id: "code", name: ja ? "実装" : "Code", parent: "build", members: ["backend", "frontend"] },
      { id: "run", name: ja ? "運用と確認" : "Run and check", color: 4, members: ["ops", "review"], collapsed: true },
    ],
    notes: [{ ...t.notes![0]!, x: 760, y: -30, width: 220, color: 7 }],
  };
}

/** Adds the providers that the team's models name, as far as the hub has none of these names. */
export async function shopProviders(hub: Hub): Promise<void> {
  const { providers } = await hub.ask<{ providers: { name: string }[] }>("GET", "/api/providers");
  const lacking = ["anthropic", "openai", "ollama"].filter((name) => !providers.some((p) => p.name === name));
  for (const name of lacking)
    await hub.ask("POST", "/api/providers", { name, kind: "openai", baseUrl: "http://127.0.0.1:9/v1", default: false });
}

/** Creates the team, applies it to the built-in gateway and opens it. */
export async function seedShop(hub: Hub, ja: boolean): Promise<string> {
  const [first] = await hub.teams();
  await shopProviders(hub);
  const team = shopTeam(ja);
  await hub.ask("PATCH", `/api/teams/${first!.id}`, { name: team.name });
  await hub.save(first!.id, team, "import-file|shop.agentflow.yaml");
  await hub.apply(first!.id);
  return first!.id;
}

/** Changes agents of a team, as a person would on the canvas. */
export async function redraw(hub: Hub, id: string, label: string, change: (t: Topology) => Topology): Promise<void> {
  await hub.save(id, change((await hub.team(id)).topology), label);
}

export const withAgent =
  (id: string, patch: Partial<Agent>) =>
  (t: Topology): Topology => ({ ...t, agents: t.agents.map((a) => (a.id === id ? { ...a, ...patch } : a)) });
export const withLine =
  (from: string, type: string, to: string) =>
  (t: Topology): Topology => ({
    ...t,
    agents: t.agents.map((a) =>
      a.id === from ? { ...a, connections: [...(a.connections ?? []), { type, targetId: to }] } : a,
    ),
  });
export const without =
  (from: string, to: string) =>
  (t: Topology): Topology => ({
    ...t,
    agents: t.agents.map((a) =>
      a.id === from ? { ...a, connections: a.connections?.filter((c) => c.targetId !== to) } : a,
    ),
  });

/** What the person has drawn and not applied yet. */
export async function changes(hub: Hub, id: string, ja: boolean): Promise<void> {
  await redraw(hub, id, "edit.connect", withLine("ops", "communication", "lead"));
  await redraw(hub, id, "edit.connect", withLine("lead", "command", "ops"));
  await redraw(hub, id, "edit.model", withAgent("docs", { model: "anthropic/claude-haiku-4-5" }));
  await redraw(hub, id, "edit.disconnect", without("research", "arch"));
  await redraw(hub, id, "edit.addAgent", (t) => ({
    ...t,
    agents: [
      ...t.agents,
      {
        id: "sre",
        name: ja ? "当番" : "On call",
        role: ja ? "夜間の一次対応" : "First answer at night",
        model: "openai/gpt-5-mini",
        workspace: "~/.openclaw/workspace-sre",
      },
    ].map((a) =>
      a.id === "ops" ? { ...a, connections: [...(a.connections ?? []), { type: "command", targetId: "sre" }] } : a,
    ),
    layout: { ...t.layout, sre: { x: 660, y: 296 } },
  }));
}

/** What somebody changed on the gateway meanwhile, in the config's text. */
export async function elsewhere(hub: Hub): Promise<void> {
  await hub.editConfig((raw) =>
    raw
      .replace("model: anthropic/claude-haiku-4-5", "model: openai/gpt-5-mini")
      .replace("model: ollama/qwen3:8b", "model: openai/gpt-5-mini")
      .replace("short sentences, the main point first.", "the main point first, then one example."),
  );
}
