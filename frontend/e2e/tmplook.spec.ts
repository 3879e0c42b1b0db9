import { describe } from "vitest";
import { test, type App } from "./app.ts";
import { opened, panel } from "./routing.ts";
const rich = [
  { agentId: "main", match: { channel: "telegram", accountId: "*" } },
  { agentId: "writer", match: { channel: "telegram", accountId: "work", peer: { kind: "direct", id: "4711" } } },
  { agentId: "coder", match: { channel: "telegram", accountId: "work", peer: { kind: "group", id: "-100123" } } },
  { agentId: "coder", match: { channel: "discord", guildId: "42", roles: ["dev", "ops"] } },
  { agentId: "writer", match: { channel: "discord", guildId: "42" } },
  { agentId: "ghost", match: { channel: "irc" } },
];
const entries = { main: { name: "Main", default: true }, writer: { name: "Writer" }, coder: { name: "Coder" }, tester: { name: "Tester" } };
describe("look", () => {
  for (const [name, o] of [["light", {}], ["dark", { colorScheme: "dark" }], ["ja", { language: "ja" }]] as const)
    test("look " + name, async ({ open }) => {
      await opened((x) => open({ ...x, ...o, viewport: { width: 1920, height: 1080 } } as never), async (app: App) => {
        await app.page.getByRole("button", { name: /^(Fit|全体)/ }).first().click();
        await app.ready();
        await app.page.screenshot({ path: `/tmp/chan-${name}-1.png` });
        await app.page.locator('.on-line[data-id="binding:1"] .edge-label').click();
        await app.page.waitForTimeout(500);
        await app.page.screenshot({ path: `/tmp/chan-${name}-2.png` });
      }, { bindings: rich, entries, show: name === "ja" ? "経路を表示" : "Show routes" } as never);
    });
});
