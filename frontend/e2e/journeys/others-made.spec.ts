import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe } from "vitest";
import { expect, test, until, type App } from "../app.ts";
import { dropFile } from "../drop.ts";
import { Hub } from "../hub.ts";
import { dialog, settingsPart } from "../scenes/scene.ts";
import { hostile, secret, variable, withListener } from "../stranger.ts";
import { submit, what } from "../team.ts";
import { hubAway, Watch } from "./invariants.ts";

// Journey 8: what others made is looked at, applied and restored. Nothing of it runs before it is allowed.

const env = { [variable]: secret };
const waitsFor = (hub: Hub, id: string, reason: string) =>
  until(
    `the task to wait: ${reason}`,
    () => hub.ask<{ waits?: { reason: string } }>("GET", `/tasks/${id}`),
    (t) => t.waits?.reason === reason,
  );

/** Presses Tab until what has the focus says one of the words. */
async function tabTo(app: App, name: RegExp): Promise<void> {
  await until(`the focus on ${name.source}`, async () => {
    if (
      await app.page.evaluate(
        (re) => new RegExp(re).test((document.activeElement as HTMLElement | null)?.innerText ?? ""),
        name.source,
      )
    )
      return true;
    await app.page.keyboard.press("Tab");
    return false;
  });
}

describe("journey 8: what others made", () => {
  test("TR-1 in Japanese, by the keyboard: a stranger's team is opened and applied; tasks and a restart later nothing has run", async ({
    open,
  }) =>
    withListener(async (far, file) => {
      const app = await open({ env, language: "ja" }),
        watch = Watch.start(app, hubAway);
      const nothing = () => {
        expect(existsSync(file)).toBe(false);
        expect(far.heard).toEqual([]);
      };
      await dropFile(app, "handy.agentflow.yaml", hostile(file, far.url));
      await dialog(app).locator("[data-file-asks]").waitFor();
      await tabTo(app, /^新しいチームとして開く/);
      await app.page.keyboard.press("Enter");
      await dialog(app).waitFor({ state: "detached" });
      await until(
        "the stranger's team",
        () => app.team(),
        (d) => d.topology.agents.some((a) => a.id === "far"),
      );
      nothing();

      await app.page.keyboard.press("Control+Enter");
      await app.page.locator("[data-trust]").waitFor();
      const agreed = app.page.getByRole("checkbox", { name: /体を削除する$/ });
      if (await agreed.count()) await agreed.first().press("Space");
      const apply = app.button(/^\d+件を適用/);
      await until("the apply to be offered", () => apply.isEnabled());
      await apply.press("Enter");
      await app.page
        .getByText(/\d+件を適用しました$/)
        .first()
        .waitFor();

      const tasks = await Promise.all(["worker", "far"].map((agent) => submit(app.hub, "挨拶してください", { agent })));
      for (const t of tasks) await waitsFor(app.hub, t.taskId, "trust");
      await app.hub.kill();
      await app.hub.restart();
      await app.page.goto(app.hub.link);
      for (const t of tasks) await waitsFor(app.hub, t.taskId, "trust");
      await app.go("tasks");
      await app.page.locator(`[data-task="${tasks[0]!.taskId}"]`).click();
      await app.page
        .getByText(/許可されるのを待っています/)
        .first()
        .waitFor();
      nothing();
      expect(await watch.problems(app.page)).toEqual([]);
    }));

  test("TR-1 TR-2 a stranger's backup is restored: its team is not trusted, its tasks wait, and both are said before", async ({
    open,
  }) =>
    withListener(async (far, file) => {
      const theirs = await Hub.start({ env });
      let backup: Buffer, waiting: string;
      try {
        const { teams } = await theirs.ask<{ teams: string[] }>("POST", "/api/files/open", {
          filename: "handy.agentflow.yaml",
          text: hostile(file, far.url),
          gateway: "local",
        });
        await theirs.apply(teams[0]!);
        waiting = (await submit(theirs, "Say hello", { agent: "far" })).taskId;
        await waitsFor(theirs, waiting, "trust");
        backup = Buffer.from(
          await (
            await fetch(`${theirs.url}/api/data/backup`, { headers: { Authorization: `Bearer ${theirs.token}` } })
          ).arrayBuffer(),
        );
      } finally {
        await theirs.stop();
      }
      const app = await open({ env }),
        // The team that was open is not in the backup, and a restore closes the database that was used until then.
        closing = /^503 GET \/api\/.*"the database is closing"/,
        watch = Watch.start(app, hubAway, /^404 GET \/api\/(teams|trust)\/\w+:/, closing);
      const kept = path.join(app.hub.data, "theirs.db");
      writeFileSync(kept, backup);
      await settingsPart(app, "data");
      const [chooser] = await Promise.all([
        app.page.waitForEvent("filechooser"),
        app.button("Restore a backup…").click(),
      ]);
      await chooser.setFiles(kept);
      await dialog(app)
        .getByText(/^Nothing in it runs until you resume it, .*Tasks paused: 1\./)
        .waitFor();
      await dialog(app).getByRole("button", { name: "Replace everything" }).click();
      await app.page.getByText(/The backup was restored\./).waitFor();
      await app.page.getByRole("button", { name: "Open", exact: true }).click();
      await app.page.waitForLoadState();
      await app.go("tasks");
      await app.page.locator(`[data-task="${waiting}"]`).click();
      await app.page.getByText("Paused because it came from a restored backup.").first().waitFor();
      await app.hub.kill();
      await app.hub.restart();
      await waitsFor(app.hub, waiting, "restored");
      expect(
        (await app.hub.ask<{ agents: { state: string }[] }>("GET", "/api/trust/local")).agents.map((a) => a.state),
      ).not.toContain("allowed");
      expect(existsSync(file)).toBe(false);
      expect(far.heard).toEqual([]);
      await app.page.goto(app.hub.link);
      await app.page.getByRole("navigation").first().waitFor();
      // Once it is resumed, the page says that it waits for the permission.
      await app.go("tasks");
      await app.page.locator(`[data-task="${waiting}"]`).click();
      await app.page.getByText("Paused because it came from a restored backup.").first().waitFor();
      await app.page.getByRole("button", { name: "Resume", exact: true }).click();
      await app.page
        .getByText(/Waiting for your permission/)
        .first()
        .waitFor();
      await app.page.getByText("Paused because it came from a restored backup.").waitFor({ state: "detached" });
      expect(existsSync(file)).toBe(false);
      expect(far.heard).toEqual([]);
      expect(await watch.problems(app.page)).toEqual([]);
    }));

  test("TR-1 a stranger's bundle is opened and trusted in part: one agent works, the other runs nothing", async ({
    open,
  }) =>
    withListener(async (far, file) => {
      const theirs = await Hub.start({ env });
      let bundle: { filename: string; data: string };
      try {
        const { teams: teams } = await theirs.ask<{ teams: string[] }>("POST", "/api/files/open", {
          filename: "handy.agentflow.yaml",
          text: hostile(file, far.url),
          gateway: "local",
        });
        bundle = await theirs.ask("POST", "/api/bundles", { teams: teams });
      } finally {
        await theirs.stop();
      }
      const app = await open({ env }),
        watch = Watch.start(app);
      await app.go("tasks"); // a file can be dropped on any screen
      await what(app).waitFor();
      await dropFile(app, bundle.filename, Buffer.from(bundle.data, "base64"));
      await dialog(app).locator("[data-file-asks]").waitFor();
      await dialog(app).getByRole("button", { name: "Open as a new team" }).click();
      await until(
        "the stranger's team",
        () => app.team(),
        (d) => d.topology.agents.some((a) => a.id === "far"),
      );
      await app.go("review");
      const allowFar = app.page.locator("[data-trust]").getByRole("checkbox", { name: /^Allow Far/ });
      await allowFar.scrollIntoViewIfNeeded();
      await until("the whole list to be seen", () => allowFar.isEnabled());
      await allowFar.click();
      const agreed = app.page.getByRole("checkbox", { name: /^Delete/ });
      if (await agreed.count()) await agreed.first().press("Space");
      await app.button(/^Allow and apply/).click();
      await app.page
        .getByText(/^Applied/)
        .first()
        .waitFor();
      expect(far.heard).toEqual([]);

      const [worker] = await Promise.all(["worker", "far"].map((agent) => submit(app.hub, "Say hello", { agent })));
      await until("the allowed agent to get its task", () => far.heard.some((h) => h.includes(secret)));
      await waitsFor(app.hub, worker!.taskId, "trust");
      await app.go(`tasks/${worker!.taskId}`);
      await app.page
        .getByText(/^Waiting for your permission:/)
        .first()
        .waitFor();
      await app.page.reload();
      await app.page
        .getByText(/^Waiting for your permission:/)
        .first()
        .waitFor();
      expect(existsSync(file)).toBe(false);
      expect(await watch.problems(app.page)).toEqual([]);
    }));
});
