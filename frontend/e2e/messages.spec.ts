import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import { violations } from "./axe.ts";
import { FakeGateway } from "./fakeGateway.ts";

type Open = (o?: Parameters<typeof App.open>[0]) => Promise<App>;

const tools = { deny: ["browser"], agentToAgent: { enabled: false, allow: ["main"] } };

/** A hub with a gateway on which messages are off, and a team with one Message connection. */
async function opened(open: Open, work: (app: App, gateway: FakeGateway) => Promise<void>): Promise<void> {
  const gateway = await FakeGateway.start({
    entries: { main: { name: "Main" }, tester: { name: "Tester" }, writer: { name: "Writer" } },
  });
  gateway.config = { ...gateway.config, tools };
  try {
    const app = await open();
    await app.openTeam(await gateway.join(app.hub));
    const { id, head, topology } = await app.team();
    const connections = [{ targetId: "tester", type: "communication" }];
    const agents = topology.agents.map((a) => (a.id === "writer" ? { ...a, connections } : a));
    await app.hub.ask("PUT", `/api/teams/${id}`, { topology: { ...topology, agents }, head, label: "edit.connect" });
    await line(app).waitFor({ state: "attached" });
    await work(app, gateway);
  } finally {
    await gateway.stop();
  }
}

const line = (app: App) => app.edge("connection:writer:communication:tester");

/** Selects the connection with a click in its middle. */
async function choose(app: App): Promise<void> {
  const at = await line(app)
    .locator("path.edge")
    .evaluate((p: SVGPathElement) => {
      const q = p.getPointAtLength(p.getTotalLength() / 2).matrixTransform(p.getScreenCTM()!);
      return { x: q.x, y: q.y };
    });
  await app.page.mouse.click(at.x, at.y);
}

const onGateway = (app: App) => app.page.getByRole("region", { name: "On the gateway" });

describe("messages between agents", () => {
  test("OC-3 a Message connection is allowed on the gateway, reviewed, applied and undone", async ({ open }) => {
    await opened(open, async (app, gateway) => {
      await choose(app);
      await onGateway(app).getByText("messages between agents are off on the gateway").waitFor();
      await onGateway(app).getByText("messages to and from Main would be allowed as well.").waitFor();
      expect(await violations(app)).toEqual([]);
      await onGateway(app).getByRole("button", { name: "Allow on the gateway" }).press("Enter");
      await app.kept("the permission", (d) => {
        const { enabled, allow } = d.topology.messages ?? {};
        return enabled === true && JSON.stringify(allow) === '["main","writer","tester"]';
      });
      await onGateway(app).getByText("Writer and Tester can message each other on the gateway.").waitFor();
      await app.page.keyboard.press("Control+z");
      await app.kept("the undo, in one step", (d) => d.topology.messages?.enabled === false);
      await onGateway(app).getByRole("button", { name: "Allow on the gateway" }).click();

      await onGateway(app).getByRole("button", { name: "Show settings" }).click();
      const section = app.page.getByRole("region", { name: "Messages between agents" });
      await section.getByRole("textbox", { name: "Allowed agents" }).fill("writer\ntester\nmain\nteam-*");
      await section.getByRole("combobox", { name: "Visible sessions" }).click();
      await app.page.getByRole("option", { name: "All sessions", exact: true }).click();
      await app.kept("the settings", (d) => {
        const { allow, visibility } = d.topology.messages ?? {};
        return JSON.stringify(allow) === '["writer","tester","main","team-*"]' && visibility === "all";
      });
      expect(await violations(app)).toEqual([]);

      await app.button("Review Ctrl+Enter").click();
      await app.page.getByText("Messages between agents", { exact: true }).first().waitFor();
      await app.page.getByText("Allowed: Writer, Tester", { exact: false }).first().waitFor();
      await app.kept("a warning of what isn't drawn", (d) => !!d.problems?.some((p) => p.code === "messages_open"));
      expect(await violations(app)).toEqual([]);
      await app.button(/^Apply 3 changes/).click();
      await app.page
        .getByText(/^Applied 3 changes/)
        .first()
        .waitFor();
      const want = {
        deny: ["browser"],
        agentToAgent: { enabled: true, allow: ["writer", "tester", "main", "team-*"] },
        sessions: { visibility: "all" },
      };
      await until(
        "the gateway's config",
        () => gateway.config.tools,
        (x) => JSON.stringify(x) === JSON.stringify(want),
      );
      await app.kept("nothing left to send", (d) => d.unsent === 0);
    });
  });

  test("OC-3 the list loses an agent that is deleted", async ({ open }) => {
    await opened(open, async (app) => {
      await app.node("main").click();
      await app.page.keyboard.press("Delete");
      await app.kept("nobody is left on the list", (d) => d.topology.messages?.allow === undefined);
      expect((await app.team()).topology.messages).toEqual({ enabled: false });
      await app.page.keyboard.press("Control+z");
      await app.kept("the undo", (d) => JSON.stringify(d.topology.messages?.allow) === '["main"]');
    });
  });
});
