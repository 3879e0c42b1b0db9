import type { App } from "./app.ts";
import { FakeGateway } from "./fakeGateway.ts";

export const REDACTED = "__OPENCLAW_REDACTED__";
export const agents = () => ({
  defaults: { thinkingDefault: "low", model: { primary: "fake/fake-1" } },
  entries: { main: { name: "Main", memory: { search: { remote: { apiKey: REDACTED } } } }, writer: { name: "Writer" } },
});

/** A hub with a gateway that has the schema of a real one, whose agent Main is open in the tab. */
export async function opened(
  open: (o?: Parameters<typeof App.open>[0]) => Promise<App>,
  work: (app: App, gateway: FakeGateway) => Promise<void>,
  prepare?: (gateway: FakeGateway) => void,
): Promise<void> {
  const gateway = await FakeGateway.start(agents());
  prepare?.(gateway);
  try {
    const app = await open();
    await app.openTeam(await gateway.join(app.hub));
    await app.node("main").click();
    await app.page.getByRole("tab", { name: "All settings" }).click();
    await work(app, gateway);
  } finally {
    await gateway.stop();
  }
}

export const raw = (app: App) => app.page.getByRole("textbox", { name: /^Values without a field/ });
export const rawText = (app: App) =>
  raw(app).evaluate((e) => [...e.querySelectorAll(".cm-line")].map((l) => l.textContent).join("\n"));

export const extraOf = async (app: App) => (await app.team()).topology.agents.find((a) => a.id === "main")?.extra;
