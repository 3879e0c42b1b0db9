import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import { violations } from "./axe.ts";
import { FakeGateway } from "./fakeGateway.ts";
import { toTasks, view, what } from "./team.ts";

const agents = { entries: { main: { name: "Main" }, builder: { name: "Builder" } } };
const givenTo = (app: App) => app.page.getByRole("button", { name: /^To: / });
const builder = (app: App) => app.page.getByRole("menuitem", { name: /^Builder/ });

/** A hub with a gateway whose agents answer what the test says. */
async function atTasks(
  open: (o?: Parameters<typeof App.open>[0]) => Promise<App>,
  work: (app: App, gateway: FakeGateway) => Promise<void>,
): Promise<void> {
  const gateway = await FakeGateway.start(agents);
  try {
    const app = await open();
    await gateway.join(app.hub);
    await toTasks(app);
    await work(app, gateway);
  } finally {
    await gateway.stop();
  }
}

/** Gives Builder a task, and returns what its gateway got. */
async function give(app: App, gateway: FakeGateway, text: string) {
  const before = gateway.sent.length;
  await what(app).fill(text);
  await givenTo(app).click();
  await builder(app).click();
  await app.page.getByRole("button", { name: "To: Builder" }).waitFor();
  await app.button("Submit").click();
  await until(
    "the message",
    () => Promise.resolve(gateway.sent.length),
    (n) => n === before + 1,
  );
  return gateway.sent[before]!;
}

describe("tasks of agents of gateways", () => {
  test("CO-3 OC-5 an agent of a gateway is given a task: its answer, its tools and its cost are shown", async ({
    open,
  }) => {
    await atTasks(open, async (app, gateway) => {
      await givenTo(app).click();
      await builder(app).getByText("On studio").waitFor();
      expect(await violations(app)).toEqual([]);
      await app.page.keyboard.press("Escape");
      const { key, text, run } = await give(app, gateway, "Count the files");
      expect(text).toBe("Count the files");
      expect(key).toMatch(/^agent:builder:task-/);
      const says = (state: string, said: string) =>
        gateway.chat({
          runId: run,
          sessionKey: key,
          state,
          message: { role: "assistant", content: [{ type: "text", text: said }] },
        });
      says("delta", "I look into the folder.");
      await app.page.getByText("I look into the folder.").first().waitFor();
      gateway.say(key, "assistant", [{ type: "toolCall", id: "c1", name: "exec", arguments: { command: "ls" } }]);
      gateway.say(key, "toolResult", [{ type: "text", text: "a b c" }]);
      Object.assign(gateway.said[key]!.at(-1)!, { toolCallId: "c1", toolName: "exec" });
      await view(app).getByText('uses exec {"command":"ls"}').waitFor();
      gateway.sessions = [{ key, inputTokens: 30, outputTokens: 12, estimatedCostUsd: 0.25 }];
      says("final", "There are three files.");
      await view(app).getByText("There are three files.").first().waitFor();
      await view(app).getByText("Done").first().waitFor();
      await view(app).getByText("Builder").first().waitFor();
      await view(app).getByText("$0.25").first().waitFor();
      expect(await violations(app)).toEqual([]);
      expect(app.complaints).toEqual([]);
    });
  });

  test("CO-3 OC-5 a task is canceled at its gateway", async ({ open }) => {
    await atTasks(open, async (app, gateway) => {
      const { key } = await give(app, gateway, "Go on for hours");
      await app.button("Cancel task").click();
      await app.button("Cancel task").waitFor({ state: "detached" });
      await view(app).getByText("Canceled").first().waitFor();
      expect(gateway.aborted).toEqual([key]);
    });
  });

  test("CO-3 OC-5 a lost link is reported, its agents are no longer offered, and the task isn't sent twice", async ({
    open,
  }) => {
    await atTasks(open, async (app, gateway) => {
      const { key } = await give(app, gateway, "A long answer");
      gateway.cut();
      await view(app)
        .getByText(/The link to the gateway studio is lost. Builder can still be running. AgentFlow waits/)
        .waitFor();
      await givenTo(app).click();
      await until(
        "its agents to be offered no longer",
        () => app.page.getByRole("menuitem", { name: /^Main/ }).count(),
        (n) => n === 0,
      );
      await builder(app).getByText("Not connected").waitFor(); // it is chosen, so the menu says why it can't be
      await app.page.keyboard.press("Escape");
      gateway.say(key, "assistant", "The whole answer.");
      gateway.back();
      await view(app).getByText("The whole answer.").first().waitFor();
      await view(app).getByText("Done").first().waitFor();
      expect(gateway.sent.length).toBe(1);
    });
  });
});
