import { existsSync } from "node:fs";
import type { Locator } from "playwright-core";
import { describe } from "vitest";
import { expect, test, until, type App, type Options } from "./app.ts";
import { violations } from "./axe.ts";
import { dropFile } from "./drop.ts";
import { dialog, settingsPart } from "./scenes/scene.ts";
import { clip, hostile, secret, variable, withListener } from "./stranger.ts";
import { submit } from "./team.ts";

/** What is there of both, wherever it is shown. */
async function whole(where: Locator, file: string, url: string): Promise<void> {
  const runs = where.locator('[data-ask="runs"]').first(),
    sends = where.locator('[data-ask="sends"]').first();
  await runs.waitFor();
  const said = await runs.innerText();
  expect(said.replace(/\s+/g, " ")).toMatch(/It runs sh -c .* on this computer\./);
  for (const part of ["echo ok;␣×60touch ", file, "⟨U+202E⟩", "tools"]) expect(said.replace(/\n/g, "")).toContain(part);
  expect((await sends.innerText()).replace(/\s+/g, " ")).toBe(`Sends tasks and ${variable} to ${url}.`);
  const cut = await where
    .locator(".asks code")
    .evaluateAll(
      (all) => all.filter((e) => e.scrollWidth > e.clientWidth + 1 && getComputedStyle(e).display !== "inline").length,
    );
  expect(cut).toBe(0);
}

const agent = (app: App, team: string, id: string) => app.page.locator(`[data-team="${team}"] [data-agent="${id}"]`);
const bar = (app: App) => app.page.getByText("This team asks for permissions on this computer.");
const states = async (app: App) =>
  Object.fromEntries(
    (await app.hub.ask<{ agents: { agent: string; state: string }[] }>("GET", "/api/trust/local")).agents.map((a) => [
      a.agent,
      a.state,
    ]),
  );

async function openHostile(app: App, file: string, url: string): Promise<void> {
  await dropFile(app, "handy.agentflow.yaml", hostile(file, url));
  await dialog(app).locator("[data-file-asks]").waitFor();
}

const options: Options = { env: { [variable]: secret } };

describe("trust", () => {
  test("TR-1 a stranger's team is seen whole in preview, bar, review and settings, runs and sends nothing, and counts only once it is allowed", async ({
    open,
  }) =>
    withListener(async (far, file) => {
      const app = await open(options);
      const nothing = () => {
        expect(existsSync(file)).toBe(false);
        expect(far.heard).toEqual([]);
      };

      await openHostile(app, file, far.url);
      await dialog(app).getByText("Opening it allows nothing.").waitFor();
      await whole(dialog(app), file, far.url);
      expect(await violations(app)).toEqual([]);
      await dialog(app).getByRole("button", { name: "Open as a new team" }).click();
      await dialog(app).waitFor({ state: "detached" });

      await bar(app).waitFor();
      await app.page.getByText("2 agents are waiting.").waitFor();
      const id = (await app.team()).id;
      await app.node("boss").click();
      await app.field("Name").fill("Chief"); // team goes on below the bar
      await app.kept("the name", (d) => d.topology.agents.some((a) => a.name === "Chief"));
      expect(await violations(app)).toEqual([]);
      await app.button("Show list").click();
      await agent(app, id, "worker").waitFor();
      expect(await app.page.evaluate(() => location.hash)).toBe(`#/settings/trust/${id}`);
      await whole(app.page.locator(`[data-team="${id}"]`), file, far.url);
      expect(await violations(app)).toEqual([]);
      nothing();

      await app.go("review");
      await app.page.locator("[data-trust]").waitFor();
      await whole(app.page.locator("[data-trust]"), file, far.url);
      expect(await violations(app)).toEqual([]);
      await agree(app);
      await app.button(/^Apply/).click();
      await app.page
        .getByText(/^Applied/)
        .first()
        .waitFor();
      expect(await states(app)).toEqual({ worker: "asked", far: "asked" });

      const tasks = [
        await submit(app.hub, "Say hello", { agent: "worker" }),
        await submit(app.hub, "Say hello", { agent: "far" }),
      ];
      const waits = (task: { taskId: string }) =>
        until(
          "the task to wait for trust",
          () => app.hub.ask<{ waits?: { reason: string } }>("GET", `/tasks/${task.taskId}`),
          (x) => x.waits?.reason === "trust",
        );
      for (const task of tasks) await waits(task);
      await app.page.getByText("2 need you").waitFor();
      await app.go("inbox");
      const blocked = app.page.getByRole("button", { name: /waits for your permission/ });
      await until(
        "both agents to be in the inbox",
        () => blocked.allInnerTexts(),
        (texts) => texts.length === 2 && texts.every((x) => x.includes("A task can't continue until you allow it.")),
      );
      expect(await app.page.getByText("All caught up").count()).toBe(0);
      expect(await violations(app)).toEqual([]);
      await blocked.first().click();
      await agent(app, "local", "far").waitFor();
      await app.go("tasks");
      await app.page.getByText("Say hello").first().click();
      await app.page
        .getByText(/^Waiting for your permission: .* Allow it in Settings → Trust\./)
        .first()
        .waitFor();
      await app.hub.ask("POST", "/api/local-agents", { agent: "worker" });
      await settingsPart(app, "agents");
      const process = app.page.locator('article[data-agent="worker"]');
      await process.getByRole("button", { name: "Start" }).first().click();
      await process.getByText(/It's waiting for trust: .* Allow it in Settings → Trust\./).waitFor();
      await process.getByRole("button", { name: "Open Trust" }).waitFor();
      nothing();
      await app.go("tasks");
      await app.page.getByText("Say hello").first().click();
      await app.page.getByRole("link", { name: "Open Trust" }).first().click();

      await agent(app, "local", "far").getByRole("button", { name: "Allow Far" }).scrollIntoViewIfNeeded();
      await app.page.locator('[data-team="local"] h2').getByText("Handy team").waitFor();
      expect(await app.page.locator('[data-agent="far"]').count()).toBe(1); // the saved team asks for the same
      await agent(app, "local", "far").getByRole("button", { name: "Allow Far" }).click();
      await until(
        "the far agent to be allowed",
        () => states(app),
        (s) => s.far === "allowed" && s.worker === "asked",
      );
      await until(
        "the task and the secret to be sent",
        () => far.heard.join("\n"),
        (heard) => heard.includes(secret),
      );
      expect(existsSync(file)).toBe(false);
      await agent(app, "local", "far")
        .getByText(/^Allowed today/)
        .waitFor();
      await agent(app, "local", "far").getByRole("button", { name: "Revoke Far" }).click();
      await until(
        "it to be revoked",
        () => states(app),
        (s) => s.far === "asked",
      );
      await agent(app, "local", "far").getByRole("button", { name: "Allow Far" }).waitFor();

      expect(existsSync(file)).toBe(false);
      await agent(app, "local", "worker").getByRole("button", { name: "Allow Worker" }).click();
      await until(
        "the worker to be allowed",
        () => states(app),
        (s) => s.worker === "allowed",
      );
      await until("the process that waited to start, and its command with it", () => existsSync(file));
      expect(app.complained(/403/)).toEqual([]);
    }));

  test("TR-1 the review has a choice for each agent, and the bar goes away when everything is allowed", async ({
    open,
  }) =>
    withListener(async (far, file) => {
      const app = await open(options);
      await openHostile(app, file, far.url);
      await dialog(app).getByRole("button", { name: "Open as a new team" }).click();
      await bar(app).waitFor();
      await app.go("review");
      const note = app.page.locator("[data-trust]");
      await note.waitFor();
      expect(await app.button(/^Allow and apply/).count()).toBe(0);
      const yes = note.getByRole("checkbox", { name: /^Allow Far/ });
      await yes.scrollIntoViewIfNeeded();
      await until("the list to be seen", () => yes.isEnabled());
      await yes.click();
      await agree(app);
      await app.button(/^Allow and apply/).click();
      await app.page
        .getByText(/^Applied/)
        .first()
        .waitFor();
      expect(await states(app)).toEqual({ worker: "asked", far: "allowed" });

      await app.go("canvas");
      await app.page
        .getByText("1 agent is waiting. It gets no tasks and no tools until you allow it. The others are allowed.")
        .waitFor();
      await app.node("far").click();
      await app.page.getByText("You allowed it. You can revoke that in Settings → Trust.").first().waitFor();
      await app.page.locator("footer.status").getByText("1 problem", { exact: true }).waitFor();
      await app.hub.trust(); // by another window
      await bar(app).waitFor({ state: "detached" });
      await app.page.locator("footer.status").getByText("No problems", { exact: true }).waitFor();
    }));

  test("TR-1 what does not fit the window is allowed only after its end was in view, by keyboard too; a change asks again; what is refused says why", async ({
    open,
  }) => {
    const app = await open({
      ...options,
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      seed: (hub) =>
        hub.changeConfig((c) => {
          c.agents = {
            long: {
              name: "Long",
              role: "Coordinator",
              model: "demo/echo",
              mcpServers: [{ name: "tools", command: ["sh", "-c", "echo a ".repeat(900)] }],
            },
            key: { name: "Key", role: "Worker", url: "http://127.0.0.1:9", secretEnv: "OPENAI_API_KEY" },
          };
        }),
    });
    await settingsPart(app, "trust");
    const allow = agent(app, "local", "long").getByRole("button", { name: "Allow Long" });
    await allow.waitFor();
    expect(await allow.isDisabled()).toBe(true);
    await agent(app, "local", "long").getByText("Scroll to the end of this list first.").waitFor();
    await agent(app, "local", "key").getByText("A team can't name the variable OPENAI_API_KEY.").waitFor();
    expect(await agent(app, "local", "key").getByRole("button").count()).toBe(0);
    await app.page.locator("main .scroll").last().focus();
    await app.page.keyboard.press("End");
    await until("the end to be seen", () => allow.isEnabled());
    expect(await violations(app)).toEqual([]);
    await allow.press("Enter");
    await until(
      "it to be allowed",
      () => states(app),
      (s) => s.long === "allowed",
    );
    await app.hub.changeConfig((c) => {
      Object.assign((c.agents as Record<string, object>).long!, {
        mcpServers: [{ name: "tools", command: ["sh", "-c", "echo b"] }],
      });
    });
    await agent(app, "local", "long")
      .getByText(/^It asks for something other than what you allowed/)
      .waitFor();
    await agent(app, "local", "long").getByText("What you allowed before").click();
    expect(await agent(app, "local", "long").locator('[data-ask="runs"]').count()).toBe(2);
    expect(app.complaints).toEqual([]);
  });

  test("TR-1 a pasted clip isn't trusted: it runs and sends nothing until it is allowed", async ({ open }) =>
    withListener(async (far, file) => {
      const app = await open(options);
      const nothing = () => {
        expect(existsSync(file)).toBe(false);
        expect(far.heard).toEqual([]);
      };
      await app.context.grantPermissions(["clipboard-read", "clipboard-write"]);
      await app.page.evaluate((text) => navigator.clipboard.writeText(text), clip(file, far.url));
      expect(await bar(app).count()).toBe(0);
      await app.page.keyboard.press("Control+v");
      await app.kept("the clip", (d) => d.topology.agents.length === 7);
      await bar(app).waitFor();
      await app.page.getByText("2 agents are waiting.").waitFor();
      nothing();

      await app.go("review");
      await app.page.locator("[data-trust]").waitFor();
      await whole(app.page.locator("[data-trust]"), file, far.url);
      await agree(app);
      await app.button(/^Apply/).click();
      await app.page
        .getByText(/^Applied/)
        .first()
        .waitFor();
      expect(await states(app)).toEqual({ worker: "asked", far: "asked" });
      await app.hub.ask("POST", "/api/local-agents", { agent: "worker" });
      await expect(app.hub.ask("POST", "/api/local-agents/worker/start", {})).rejects.toThrow(/waits for trust/);
      nothing();
      await app.hub.trust();
      await until("what was allowed to run", () => existsSync(file));
    }));

  test("TR-1 nothing to allow, and a list that cannot be read", async ({ open }) => {
    const app = await open();
    await settingsPart(app, "trust");
    await app.page.getByText("Nothing to allow").waitFor();
    await app.page.route(/\/api\/trust$/, (route) =>
      route.fulfill({ status: 503, json: { error: { code: "UNAVAILABLE", message: "not now" } } }),
    );
    await app.page.reload();
    await app.page.getByText("Couldn't load what teams ask for").waitFor();
    await app.page.unroute(/\/api\/trust$/);
    await app.button("Retry").click();
    await app.page.getByText("Nothing to allow").waitFor();
  });
});

/** The example's agents go from the gateway; that is agreed to where it is asked. */
async function agree(app: App): Promise<void> {
  const yes = app.page.getByRole("checkbox", { name: /^Delete / });
  if (await yes.count()) await yes.first().click();
}
