import { describe } from "vitest";
import { violations } from "./axe.ts";
import { expect, test, until, type App } from "./app.ts";
import { FakeGateway } from "./fakeGateway.ts";

const tool = (id: string, description: string) => ({ id, label: id, description, source: "core" });
const many = Array.from({ length: 60 }, (_, i) =>
  tool(`tool_number_${i}`, "A description that is too long for its row"),
);
// As OpenClaw 2026.9.6 answers, with shorter texts.
const catalog = {
  agentId: "main",
  profiles: [
    { id: "minimal", label: "Minimal" },
    { id: "coding", label: "Coding" },
  ],
  groups: [
    {
      id: "fs",
      label: "Files",
      source: "core",
      tools: [tool("read", "Read file contents"), tool("write", "Create or overwrite files")],
    },
    { id: "runtime", label: "Runtime", source: "core", tools: [tool("exec", "Run shell now.")] },
    { id: "plugin:many", label: "many", source: "plugin", pluginId: "many", tools: many },
  ],
};
const skill = (name: string, description: string, bins: string[]) => ({
  name,
  skillKey: name,
  description,
  disabled: false,
  blockedByAllowlist: false,
  eligible: !bins.length,
  missing: { bins, anyBins: [], env: [], config: [], os: [] },
});
const answers = {
  "tools.catalog": catalog,
  "tools.effective": { agentId: "main", profile: "coding", groups: [{ ...catalog.groups[0] }] },
  "skills.status": {
    skills: [skill("1password", "Use 1Password CLI.", ["op"]), skill("weather", "Get the weather.", [])],
  },
};

/** A hub with a gateway whose agent Main is open in the inspector. */
async function opened(
  open: (o?: Parameters<typeof App.open>[0]) => Promise<App>,
  tools: Record<string, unknown>,
  work: (app: App, gateway: FakeGateway) => Promise<void>,
): Promise<void> {
  const gateway = await FakeGateway.start({ entries: { main: { name: "Main" }, writer: { name: "Writer" } } });
  gateway.tools = tools;
  gateway.sessions = [{ key: "agent:main:main", agentId: "main", updatedAt: Date.now() }];
  try {
    const app = await open();
    await app.openTeam(await gateway.join(app.hub));
    await app.node("main").click();
    await work(app, gateway);
  } finally {
    await gateway.stop();
  }
}

const tab = (app: App, name: string) => app.page.getByRole("tab", { name, exact: true }).click();
const field = (app: App, name: string) => app.page.getByRole("textbox", { name, exact: true });
const option = (app: App, name: RegExp) => app.page.getByRole("option", { name });
const mainOf = async (app: App) => (await app.team()).topology.agents.find((a) => a.id === "main");

describe("OC-1: tools and skills by name", () => {
  test("OC-1 the gateway's tools and profiles are chosen with the keyboard, and an unknown name is marked", async ({
    open,
  }) => {
    await opened(open, answers, async (app) => {
      const { page } = app;
      await tab(app, "Tools");
      await page.getByText("Tools that this agent can use now").click();
      await page.getByRole("listitem").getByText("write", { exact: true }).waitFor();
      await page.getByText("In the session agent:main:main, with the team as last applied.").waitFor();
      await page.getByRole("radio", { name: "Custom tools" }).click();
      await page.getByRole("combobox", { name: "Profile" }).focus();
      await page.keyboard.press("ArrowDown");
      await option(app, /^coding/).waitFor();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await field(app, "Denied").focus();
      const before = await field(app, "Denied").boundingBox();
      await page.keyboard.press("ArrowDown");
      await option(app, /^exec Run shell now/).waitFor();
      expect(await field(app, "Denied").boundingBox()).toEqual(before);
      expect(await violations(app)).toEqual([]);
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.keyboard.type("ex");
      await option(app, /^exec/).waitFor();
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Enter");
      await page.keyboard.type("group:web");
      await app.kept("the tools", (now) => {
        const tools = now.topology.agents.find((a) => a.id === "main")?.tools;
        return tools?.profile === "coding" && tools.deny?.join() === "write,exec,group:web";
      });
      expect(await page.getByText(/^The gateway lists no tool/).count()).toBe(0);
      await page.keyboard.press("Escape");
      await page.keyboard.type("x\nraed");
      await page.getByText("The gateway lists no tool named raed. Check the name.").waitFor();
      expect(await violations(app)).toEqual([]);
    });
  });

  test("OC-1 the setting skills offers the gateway's skills and says which aren't ready", async ({ open }) => {
    await opened(open, answers, async (app) => {
      const { page } = app;
      await tab(app, "All settings");
      await page.getByRole("searchbox", { name: "Search settings" }).fill("skills");
      const row = page.locator('[data-setting="skills"]');
      await row.getByRole("textbox").focus();
      const first = option(app, /^1password Not ready missing op/);
      await until("the list of skills", async () => {
        if (!(await first.count())) await page.keyboard.press("ArrowDown");
        return first.isVisible();
      });
      await first.click();
      await row.getByText("1password isn't ready on the gateway: missing op.").waitFor();
      await page.keyboard.type("wether");
      await row.getByText(/^The gateway has no skill named wether\. Check the name\./).waitFor();
      await app.kept(
        "the skills",
        (now) =>
          (now.topology.agents.find((a) => a.id === "main")?.extra?.skills as string[] | undefined)?.join() ===
          "1password,wether",
      );
      expect(await violations(app)).toEqual([]);
    });
  });

  test("OC-1 with a gateway that tells nothing, or lies, the fields are free text", async ({ open }) => {
    await opened(open, { "tools.catalog": [1], "skills.status": { skills: 7 } }, async (app) => {
      const { page } = app;
      await tab(app, "Tools");
      await page.getByRole("radio", { name: "Custom tools" }).click();
      await page.getByRole("combobox", { name: "Profile" }).fill("own");
      await field(app, "Denied").fill("anything");
      await app.kept("the tools", (now) => {
        const tools = now.topology.agents.find((a) => a.id === "main")?.tools;
        return tools?.profile === "own" && tools.deny?.join() === "anything";
      });
      expect(await page.getByRole("button", { name: "Show the tools" }).count()).toBe(0);
      expect(await page.getByText(/^The gateway lists no/).count()).toBe(0);
      expect((await mainOf(app))?.tools?.deny).toEqual(["anything"]);
    });
  });
});
