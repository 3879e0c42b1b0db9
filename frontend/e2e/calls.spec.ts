import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import { violations } from "./axe.ts";
import { says, withTeam } from "./team.ts";

const shown = (app: App) => app.page.locator("[data-call]");

async function ask(app: App, message: string): Promise<void> {
  const before = (await app.hub.ask<{ calls: object[] }>("GET", "/api/llm-calls")).calls.length;
  await app.hub.ask("POST", "/api/message", { room: "Night", sender: "human", message });
  await until(
    "the call",
    () => app.hub.ask<{ calls: object[] }>("GET", "/api/llm-calls").then((r) => r.calls.length),
    (n) => n > before,
  );
}

async function openCalls(app: App): Promise<void> {
  await app.go("settings");
  await app.button(/^(Model calls|モデルの呼び出し)/).click();
  await app.page.getByRole("region", { name: /^(AgentFlow process|AgentFlowのプロセス)$/ }).waitFor();
}

describe("what agents ask models", () => {
  test("CH-11 calls without a price have an unknown cost, and the planner has its name", async ({ open }) => {
    await withTeam(
      open,
      () => {
        throw new Error("cut");
      },
      async (app) => {
        await app.hub.ask("POST", "/api/plans", { name: "Shop", goal: "A shop" });
        await until(
          "the call",
          () => app.hub.ask<{ calls: object[] }>("GET", "/api/llm-calls").then((r) => r.calls.length),
          (n) => n > 0,
        );
        await openCalls(app);
        await app.page
          .getByRole("region", { name: "By agent" })
          .getByRole("row", { name: /^Planner .*cost unknown/ })
          .waitFor();
        await shown(app).first().getByText("Planner", { exact: true }).waitFor();
      },
    );
  });

  test("CH-11 is seen by agent with time, tokens and cost; what was said only on demand", async ({ open }) => {
    await withTeam(open, says("Yes, ready."), async (app) => {
      const [team] = await app.hub.teams();
      await app.hub.ask("PUT", "/api/prices", { model: "local/m", input: 100_000, output: 250_000 });
      await openCalls(app);
      await app.page.getByText("No model calls yet").waitFor();
      await app.hub.ask("POST", "/api/rooms", { name: "Night", team: team!.id, agents: ["dev", "writer"] });
      await ask(app, "@Dev ready?");
      await app.button("Refresh").click();
      await until(
        "one call",
        () => shown(app).count(),
        (n) => n === 1,
      );
      const agents = app.page.getByRole("region", { name: "By agent" });
      await agents.getByRole("row", { name: /Dev 1 0 .* 7 \/ 3 \$1\.45/ }).waitFor();
      await shown(app).first().getByRole("button").first().click();
      await shown(app).getByText("The prompt and reply weren't kept.").waitFor();
      await shown(app).getByText("in the room Night").waitFor();

      await app.page.getByRole("switch", { name: "Keep prompts and replies" }).click();
      await until(
        "it to be switched on",
        () => app.page.getByRole("switch").getAttribute("aria-checked"),
        (v) => v === "true",
      );
      await ask(app, "@Writer and you?");
      await app.button("Refresh").click();
      await until(
        "two calls",
        () => shown(app).count(),
        (n) => n === 2,
      );
      await agents.getByRole("button", { name: "Writer" }).click();
      await until(
        "its call alone",
        () => shown(app).count(),
        (n) => n === 1,
      );
      await shown(app).first().getByRole("button").first().click();
      await app.button("Show prompt and reply").click();
      const said = shown(app).getByLabel("Prompt and reply");
      await said.getByText("Yes, ready.", { exact: true }).waitFor();
      await said.getByText(/human: @Writer and you\?/).waitFor();
      expect(await violations(app)).toEqual([]);

      await app.page.getByRole("switch").click();
      await shown(app).getByText("The prompt and reply weren't kept.").waitFor();
      expect(app.complaints).toEqual([]);
    });
  });
});
