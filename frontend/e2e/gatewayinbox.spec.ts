import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import { takesKeys } from "./asking.ts";
import { violations } from "./axe.ts";
import { FakeGateway } from "./fakeGateway.ts";

const agents = { entries: { main: { name: "Main" }, builder: { name: "Builder" } } };
const rows = (app: App) => app.page.locator(".rows .lrow");
const heading = (app: App, name: string | RegExp) => app.page.getByRole("heading", { level: 2, name });

const push = (id: string, more: Record<string, unknown> = {}) => ({
  id,
  request: {
    command: `git push origin ${id}`,
    cwd: "/srv/shop",
    host: "gateway",
    agentId: "builder",
    sessionKey: "agent:builder:main",
    allowedDecisions: ["allow-once", "allow-always", "deny"],
    ...more,
  },
});

/** A hub with a gateway that asks. */
async function asking(
  open: (o?: Parameters<typeof App.open>[0]) => Promise<App>,
  work: (app: App, gateway: FakeGateway) => Promise<void>,
): Promise<void> {
  const gateway = await FakeGateway.start(agents);
  try {
    const app = await open();
    await gateway.join(app.hub);
    await app.go("inbox");
    await work(app, gateway);
  } finally {
    await gateway.stop();
  }
}

describe("inbox of gateways", () => {
  test("OC-5 an approval of a gateway is answered by one key, and the gateway gets it once", async ({ open }) => {
    await asking(open, async (app, gateway) => {
      gateway.ask("exec", push("main"));
      await heading(app, "Run this command?").waitFor();
      const view = app.page.locator(".inbox-view");
      expect(await view.innerText()).toMatch(/git push origin main[^]*\/srv\/shop[^]*studio[^]*agent:builder:main/);
      await rows(app).first().getByText("Builder · studio").waitFor();
      expect(await violations(app)).toEqual([]);
      await takesKeys(app);
      await app.page.keyboard.press("y");
      await app.page.getByText("All caught up").waitFor();
      expect(gateway.answers).toEqual([{ method: "exec.approval.resolve", id: "main", decision: "allow-once" }]);

      gateway.ask("exec", push("second"));
      await heading(app, "Run this command?").waitFor();
      await app.button("Allow from now on…").click();
      await app.page.getByText(/studio allows it from now on and keeps this permission/).waitFor();
      await app.page.getByRole("group", { name: "Allow from now on" }).getByRole("button").click();
      await app.page.getByText("All caught up").waitFor();
      expect(gateway.answers.at(-1)).toEqual({
        method: "exec.approval.resolve",
        id: "second",
        decision: "allow-always",
      });
      await app.page.getByRole("radio", { name: "Allowed", exact: true }).click();
      await app.page.getByText("No standing permissions").waitFor();
      expect(app.complaints).toEqual([]);
    });
  });

  test("OC-5 who answers at the gateway is named, and hidden characters are marks", async ({ open }) => {
    await asking(open, async (app, gateway) => {
      gateway.ask("exec", push("main", { command: "git push \u202enigiro", allowedDecisions: ["allow-once", "deny"] }));
      await heading(app, "Run this command?").waitFor();
      expect(await app.page.locator(".inbox-code").innerText()).not.toContain("\u202e");
      expect(await app.button("Allow from now on…").count()).toBe(0);
      gateway.resolve("exec", "main", "deny", "Telegram");
      await app.page.getByText("All caught up").waitFor();
      await app.page.getByRole("radio", { name: "Answered", exact: true }).click();
      await app.page.getByText("Denied by Telegram").first().waitFor();
    });
  });

  test("OC-5 questions have their options, and a lost link makes them stale", async ({ open }) => {
    await asking(open, async (app, gateway) => {
      gateway.ask("question", {
        id: "q",
        agentId: "main",
        questions: [
          {
            questionId: "color",
            header: "Color",
            question: "Which color?",
            isOther: true,
            options: [{ label: "Red" }, { label: "Blue", description: "like the sea" }],
          },
          { questionId: "name", header: "Name", question: "Which name?", options: [] },
        ],
      });
      await heading(app, "2 questions").waitFor();
      expect(await app.button("Answer").isDisabled()).toBe(true);
      await app.page.getByRole("radio", { name: "Blue" }).click();
      await app.page.getByRole("textbox", { name: "Which name?" }).fill("Harbor");
      expect(await violations(app)).toEqual([]);
      gateway.cut();
      await app.page.getByText("The link to studio is lost.", { exact: false }).waitFor();
      expect(await app.button("Answer").isDisabled()).toBe(true);
      gateway.back();
      await app.page.getByText("The link to studio is lost.", { exact: false }).waitFor({ state: "detached" });
      await until(
        "the answer to be possible",
        () => app.button("Answer").isDisabled(),
        (off) => !off,
      );
      await app.button("Answer").click();
      await app.page.getByText("All caught up").waitFor();
      expect(gateway.answers).toEqual([
        {
          method: "question.resolve",
          id: "q",
          answers: { answers: { color: ["Blue"], name: ["Harbor"] } },
          resolvedBy: "AgentFlow",
        },
      ]);
    });
  });
});
