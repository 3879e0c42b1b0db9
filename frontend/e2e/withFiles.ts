import type { App } from "./app.ts";
import { FakeGateway } from "./fakeGateway.ts";

export const rules = "# Rules\r\n\r\nBe kind.\r\n";
const stale = "<!-- agentflow:team begin -->\nYou are somebody.\n<!-- agentflow:team end -->\nMine.\n";
const agents = () => ({
  defaults: { model: { primary: "fake/fake-1" } },
  entries: {
    main: { name: "Main", subagents: { allowAgents: ["writer"] } },
    writer: { name: "Writer" },
    tester: { name: "Tester" },
  },
});

/** A hub with an OpenClaw gateway that serves workspace files, and its team. */
export async function opened(
  open: (o?: Parameters<typeof App.open>[0]) => Promise<App>,
  work: (app: App, gateway: FakeGateway) => Promise<void>,
  options?: Parameters<typeof App.open>[0],
): Promise<void> {
  const gateway = await FakeGateway.start(agents());
  gateway.files = { "main/AGENTS.md": rules, "writer/AGENTS.md": "# Writer\n", "tester/AGENTS.md": stale };
  try {
    const app = await open(options);
    await app.openTeam(await gateway.join(app.hub));
    await work(app, gateway);
  } finally {
    await gateway.stop();
  }
}

type Team = Awaited<ReturnType<App["team"]>>;
/** The text of a file in the draft. */
export const file = (d: Team, id: string, name = "AGENTS.md") =>
  (d.topology.agents.find((a) => a.id === id) as { files?: Record<string, { content: string }> } | undefined)?.files?.[
    name
  ]?.content;

export async function apply(app: App): Promise<void> {
  await app.button("Review Ctrl+Enter").click();
  await app.button(/^Apply \d changes?/).click();
  await app.page
    .getByText(/^Applied \d changes?/)
    .first()
    .waitFor();
  await app.page.keyboard.press("Escape");
}
