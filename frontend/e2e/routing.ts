import type { App } from "./app.ts";
import { FakeGateway } from "./fakeGateway.ts";

export const bindings: unknown[] = [
  { agentId: "main", match: { channel: "telegram", accountId: "*" } },
  { type: "acp", agentId: "main", match: { channel: "telegram", accountId: "work" }, acp: { mode: "oneshot" } },
  "odd",
];

type Open = (o?: Parameters<typeof App.open>[0]) => Promise<App>;

type More = {
  bindings?: unknown[];
  broadcast?: Record<string, unknown>;
  channels?: Record<string, unknown>;
  entries?: Record<string, { name: string }>;
  /** The name of the button that opens the panel. */ show?: string;
};

/** A hub with a gateway that has channels, whose routes are open beside the canvas. */
export async function opened(
  open: Open,
  work: (app: App, gateway: FakeGateway) => Promise<void>,
  more: More = {},
): Promise<void> {
  const gateway = await FakeGateway.start({
    entries: more.entries ?? { main: { name: "Main" }, writer: { name: "Writer" } },
  });
  gateway.config = {
    ...gateway.config,
    channels: more.channels ?? {
      telegram: { accounts: { work: { name: "Work phone", botToken: "__OPENCLAW_REDACTED__" }, home: {} } },
      discord: { token: "__OPENCLAW_REDACTED__" },
    },
    bindings: more.bindings ?? bindings,
    ...(more.broadcast && { broadcast: more.broadcast }),
  };
  try {
    const app = await open();
    await app.openTeam(await gateway.join(app.hub));
    await app.button(more.show ?? "Show routes").click();
    await work(app, gateway);
  } finally {
    await gateway.stop();
  }
}

export const panel = (app: App) => app.page.getByRole("complementary", { name: "Routes" });
