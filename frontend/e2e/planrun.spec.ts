import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import { violations } from "./axe.ts";
import { git, withSite, type Site } from "./site.ts";

/** A plan of two tasks, and what they are worked with. */
async function onSite(open: (o: object) => Promise<App>, work: (site: Site) => Promise<void>): Promise<void> {
  await withSite(open, async (site) => {
    const { app } = site;
    const { id } = await app.hub.ask<{ id: string }>("POST", "/api/plans", { name: "Files" });
    const { head } = await app.hub.ask<{ head: number }>("GET", `/api/plans/${id}`);
    await app.hub.ask("POST", `/api/plans/${id}/edit`, {
      version: head,
      operations: [
        {
          op: "create",
          temp_id: "one",
          title: "one",
          description: "MAKE one.txt",
          acceptance_criteria: ["one.txt is there"],
        },
        {
          op: "create",
          temp_id: "two",
          title: "two",
          description: "COPY one.txt to two.txt",
          acceptance_criteria: ["two.txt is like it"],
          dependencies: ["one"],
        },
      ],
    });
    await app.go(`plan/${id}`);
    await row(app, "two").waitFor();
    await work(site);
  });
}

const row = (app: App, title: string) =>
  app.page.getByRole("treeitem").filter({ has: app.page.locator(".plan-name", { hasText: new RegExp(`^${title}$`) }) });
const dialog = (app: App) => app.page.getByRole("dialog", { name: "Run Files" });
async function run({ app, repo }: Site): Promise<void> {
  await app.button("Run").click();
  await dialog(app).getByRole("combobox", { name: "Worker" }).getByText("codex").waitFor();
  await dialog(app).getByRole("textbox", { name: "Folder" }).fill(repo);
  await dialog(app).getByRole("textbox", { name: "Test command" }).fill("test -s one.txt");
}
const merged = (repo: string) =>
  until(
    "the merged work",
    () => existsSync(path.join(repo, "two.txt")) && git(repo, "ls-files"),
    (files) => files === "one.txt\ntwo.txt",
  );

describe("a plan is run", () => {
  test("ME-8 from the dialog to merged work; the inbox is asked before each merge", async ({ open }) => {
    await onSite(open, async (site) => {
      const { app, repo } = site;
      await run(site);
      const { sandbox } = await app.hub.ask<{ sandbox: { active: boolean } }>("GET", "/api/about");
      await dialog(app)
        .locator("[data-sandbox]")
        .getByText(sandbox.active ? /Commands can reach their own folders/ : /Commands can reach everything you can/)
        .waitFor();
      const plan = (await app.page.evaluate(() => location.hash)).slice(2);
      await dialog(app).getByRole("textbox", { name: "Folder" }).fill("/nowhere/at/all");
      await dialog(app).getByRole("button", { name: "Start" }).click();
      await dialog(app).getByText("There is no such folder on AgentFlow's computer.").waitFor();
      expect(await violations(app)).toEqual([]);
      await dialog(app).getByRole("textbox", { name: "Folder" }).fill(repo);
      await dialog(app).getByText("More", { exact: true }).click();
      const choose = async (mode: string) => {
        await dialog(app).getByRole("combobox", { name: "Worker protocol" }).click();
        await app.page.getByRole("option", { name: mode }).click();
      };
      await choose("Agent Client Protocol");
      await dialog(app)
        .getByRole("checkbox", { name: "Ask me when the worker needs permission", checked: true })
        .waitFor();
      await choose("Command line");
      const lent = dialog(app).getByRole("textbox", { name: "Environment variables for the worker" });
      await lent.fill("NOT_SET_HERE");
      await dialog(app).getByRole("button", { name: "Start" }).click();
      await dialog(app).getByText('The variable "NOT_SET_HERE" is not set where the hub runs').waitFor();
      await lent.fill("LENT_TO_WORKERS");
      await dialog(app).getByRole("button", { name: "Start" }).click();
      await app.page.getByText(/The plan (is running|waits for your answer)/).waitFor();
      await app.go("inbox");
      await app.page.getByRole("heading", { name: "Merge this work?" }).waitFor();
      await app.page.getByText('Merge "one"').first().waitFor();
      await app.go(plan);
      await app.page.getByText("The plan waits for your answer.").waitFor();
      await app.button("Run settings").click();
      const order = app.page.getByRole("dialog", { name: "Run settings" });
      for (const value of [repo, "test -s one.txt", "LENT_TO_WORKERS", "Ask before each merge"])
        await order.getByRole("definition").getByText(value, { exact: true }).waitFor();
      await order
        .getByRole("definition")
        .getByText(/^codex-cli/)
        .waitFor();
      expect(await violations(app)).toEqual([]);
      await app.page.keyboard.press("Escape");
      await row(app, "one").click();
      await app.button("Changes in attempt 1").click();
      const changes = app.page.getByRole("dialog", { name: "Changes: one" });
      await changes.getByText("Worker finished, not merged yet").waitFor();
      await changes.getByRole("button", { name: "one.txt" }).waitFor();
      await app.page.keyboard.press("Escape");
      for (const title of ["one", "two"]) {
        const question = await until(`the question about ${title}`, async () =>
          (
            await app.hub.ask<{ entries: { id: string; tool: string; arguments: { task: string } }[] }>(
              "GET",
              "/api/inbox",
            )
          ).entries.find((e) => e.tool === "merge" && e.arguments.task === title),
        );
        await app.hub.ask("POST", `/api/inbox/${question!.id}/answer`, { choice: "once" });
      }
      await row(app, "two").getByLabel("Done").or(row(app, "two").getByText("Done")).first().waitFor();
      await merged(repo);
      expect(readFileSync(path.join(repo, "two.txt"), "utf8")).toBe("one\n");
      await row(app, "one").click();
      await app.page.getByLabel("Output", { exact: true }).getByText("hands on").waitFor();
      await app.page.getByLabel("Output", { exact: true }).getByText("lent a word").waitFor();
      await app.page.getByText("2 of 2 done").waitFor();
      await app.button("Model calls").click();
      const calls = app.page.getByRole("dialog", { name: "Model calls" });
      await calls.getByRole("heading", { name: "Next step for one" }).first().waitFor();
      await calls.getByText("unknown price").first().waitFor();
      expect(await violations(app)).toEqual([]);
      await app.page.keyboard.press("Escape");
      await app.button("Changes in attempt 1").click();
      await changes.getByRole("button", { name: "one.txt" }).waitFor();
      expect(await changes.getByText("not merged yet").count()).toBe(0);
      await changes.locator(".cm-content").getByText("one", { exact: true }).waitFor();
      expect(await violations(app)).toEqual([]);
      await app.page.keyboard.press("Escape");
      await app.page.getByRole("radio", { name: "Timeline" }).click();
      await app.page.locator(".plan-time-row", { hasText: "two" }).locator(".plan-time.is-ran").waitFor();
    });
  });

  test("ME-8 a folder without Git is changed only after the person has allowed it", async ({ open }) => {
    await onSite(open, async (site) => {
      const { app } = site;
      await run(site);
      const plain = mkdtempSync(path.join(tmpdir(), "agentflow-plain-"));
      try {
        const folder = dialog(app).getByRole("textbox", { name: "Folder" }),
          start = dialog(app).getByRole("button", { name: "Start" }),
          allow = dialog(app).getByRole("checkbox", { name: "Let the workers change this folder itself" });
        await folder.fill(plain);
        expect(await allow.count()).toBe(0);
        await start.click();
        await dialog(app).getByText("The workers would change this folder itself,").waitFor();
        expect(await violations(app)).toEqual([]);
        await allow.check();
        await dialog(app).getByText("Workers change the files of the folder itself").waitFor();
        await folder.fill(`${plain}/`); // another folder is another question
        await allow.waitFor({ state: "detached" });
        expect(readdirSync(plain)).toEqual([]);
        await start.click();
        await allow.check();
        await start.click();
        await app.page.getByText("2 of 2 done").waitFor();
        expect(readdirSync(plain)).toEqual(expect.arrayContaining(["one.txt", "two.txt"]));
        await app.button("Run settings").click();
        await app.page.getByRole("dialog", { name: "Run settings" }).getByText("changes can't be undone").waitFor();
      } finally {
        rmSync(plain, { recursive: true, force: true });
      }
    });
  });

  test("ME-8 it is paused and resumed, without its budget too; a failed task is tried again, and what is added is left", async ({
    open,
  }) => {
    await onSite(open, async (site) => {
      const { app, repo } = site;
      site.set("hold");
      await run(site);
      await dialog(app).getByRole("checkbox", { name: "Ask before each merge" }).click();
      await dialog(app).getByRole("textbox", { name: "Budget in US dollars" }).fill("1");
      await dialog(app).getByRole("button", { name: "Start" }).click();
      await app.page.getByText("a model or worker has no price").waitFor();
      await app.button("Resume without the dollar budget").click();
      await row(app, "one").click();
      await app.page.getByLabel("Output", { exact: true }).getByText("hands on").waitFor();
      await app.button("Pause").click();
      await app.page.getByText("The plan is paused.").waitFor();
      site.drop("hold");
      site.set("fails");
      await app.button("Resume").click();
      await app.page.getByText("No more tasks can start").waitFor();
      site.drop("fails");
      await app.button("Try again").click();
      await merged(repo);
      await app.page.getByText("2 of 2 done").waitFor();
      const plan = (await app.page.evaluate(() => location.hash)).split("/")[2];
      const { head } = await app.hub.ask<{ head: number }>("GET", `/api/plans/${plan}`);
      await app.hub.ask("POST", `/api/plans/${plan}/edit`, {
        version: head,
        operations: [
          {
            op: "create",
            temp_id: "three",
            title: "three",
            description: "MAKE one.txt",
            acceptance_criteria: ["it is there"],
          },
        ],
      });
      await app.page
        .getByText("All started tasks are done. Select Run to continue with the rest. 2 of 3 done")
        .waitFor();
    });
  });
});
