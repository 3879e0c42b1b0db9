import { test } from "./app.ts";
import { FakeGateway } from "./fakeGateway.ts";

for (const [lang, scheme, width] of [["en", "light", 1280], ["ja", "dark", 1280], ["ja", "light", 390], ["en", "dark", 390]] as const)
  test(`shot ${lang} ${scheme} ${width}`, async ({ open }) => {
    const gateway = await FakeGateway.start({ entries: { main: { name: "Main" }, writer: { name: "Writer" }, coder: { name: "Coder" } } });
    gateway.config = {
      ...gateway.config,
      channels: { telegram: { accounts: { work: { name: "Work phone" }, home: { enabled: false } } }, discord: { token: "x" } },
      bindings: [
        { agentId: "main", match: { channel: "telegram", accountId: "*" } },
        { agentId: "writer", match: { channel: "telegram", accountId: "work", peer: { kind: "group", id: "-100123456789" } }, comment: "The office group" },
        { agentId: "coder", match: { channel: "telegram", accountId: "work" } },
        { agentId: "ghost", match: { channel: "irc" } },
        { agentId: "main", match: { channel: "telegram", accountId: "work" } },
        { type: "acp", agentId: "main", match: { channel: "discord" } },
        "odd",
      ],
    };
    const app = await open({ viewport: { width, height: 844 }, colorScheme: scheme });
    await app.hub.ask("PUT", "/api/settings", { ...(await app.hub.ask<object>("GET", "/api/settings")), language: lang, theme: scheme });
    await app.openTeam(await gateway.join(app.hub));
    await app.button(lang === "en" ? "Show routes" : "経路を表示").click();
    const panel = app.page.getByRole("complementary", { name: lang === "en" ? "Routes" : "経路" });
    await panel.getByRole("button", { name: lang === "en" ? "Find agent" : "エージェントを調べる" }).waitFor();
    await panel.getByRole("combobox", { name: lang === "en" ? "Channel" : "チャンネル" }).first().fill("telegram");
    await panel.getByRole("combobox", { name: lang === "en" ? "Account" : "アカウント" }).first().click();
    await app.page.getByRole("option", { name: "Work phone" }).click();
    await panel.getByRole("button", { name: lang === "en" ? "Find agent" : "エージェントを調べる" }).click();
    await app.page.waitForTimeout(1500);
    await app.page.screenshot({ path: `/tmp/oc3/${lang}-${scheme}-${width}.png` });
    await panel.locator(".scroll").first().evaluate((e) => e.scrollTo(0, 700));
    await app.page.waitForTimeout(300);
    await app.page.screenshot({ path: `/tmp/oc3/${lang}-${scheme}-${width}-b.png` });
    if (width > 400) {
      await panel.getByRole("button", { name: lang === "en" ? "Add binding" : "割り当てを追加" }).click();
      await app.page.waitForTimeout(400);
      await app.page.screenshot({ path: `/tmp/oc3/${lang}-${scheme}-${width}-c.png` });
    }
    await gateway.stop();
  });
