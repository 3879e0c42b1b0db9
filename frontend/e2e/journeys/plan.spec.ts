import { existsSync } from "node:fs";
import path from "node:path";
import { describe } from "vitest";
import { expect, test, until, type App } from "../app.ts";
import { field as planField, patch, row, whole } from "../plan.ts";
import { git, withSite } from "../site.ts";
import { hubAway, Watch } from "./invariants.ts";

// Journey 7: a goal becomes a proposal, a plan, and merged work, though the hub is killed on the way.

const proposal = JSON.stringify({
  type: "decompose",
  understanding: "Two files with the same word.",
  phases: [
    {
      name: "Files",
      milestone: "M1",
      tasks: [
        {
          id: "t1",
          title: "one",
          description: "MAKE one.txt",
          wbs_level: 3,
          estimated_effort: "small",
          acceptance_criteria: ["one.txt is there"],
        },
        {
          id: "t2",
          title: "two",
          description: "COPY one.txt to two.txt",
          dependencies: ["t1"],
          wbs_level: 3,
          estimated_effort: "small",
          acceptance_criteria: ["two.txt is like it"],
        },
      ],
    },
  ],
});

/** Answers the question about a task's work in the inbox, as a person does. */
async function merge(app: App, title: string): Promise<void> {
  await app.go("inbox");
  await app.page.getByText(`Merge "${title}"`).first().click({ timeout: 60_000 });
  await app.page.getByRole("heading", { name: "Merge this work?" }).waitFor();
  await app.button("Allow once").click();
}

describe("journey 7: a plan", () => {
  test("ME-8 ME-9 ME-10 a goal is changed, paused, and merged, though the hub is killed in the middle", async ({
    open,
  }) => {
    let toRename = "";
    await withSite(
      open,
      async ({ app, repo, set, drop }) => {
        const watch = Watch.start(app, hubAway);
        await app.go("tasks");
        await app.page.getByRole("radio", { name: "Plans" }).click();
        await app.page.getByRole("textbox", { name: "What do you want to build?" }).fill("Two files with one word");
        await app.button("Break down").click();
        await app.button("Accept 2 changes").click();
        await app.page.getByText("0 of 2 done").waitFor();

        await row(app, "one").click();
        await planField(app, "Acceptance criteria").fill("one.txt has one word");
        await planField(app, "Description").click();
        const id = (await app.page.evaluate(() => location.hash)).split("/")[2]!;
        const changed = await until(
          "the change by hand",
          () => whole(app.hub, id),
          (w) => w.plan.tasks[0]!.acceptance_criteria.join() === "one.txt has one word",
        );
        toRename = changed.plan.tasks[1]!.id;
        await planField(app, "What should change in the plan?").fill("Call the second task a copy");
        await app.page.keyboard.press("Enter");
        await app.page.getByText("1 changed").first().waitFor();
        await app.page.reload(); // a proposal waits for the person
        await app.button("Accept 1 change").click();
        await row(app, "copy").waitFor();

        set("hold"); // the worker is in the middle of it when the hub is killed
        await app.button("Run").click();
        const dialog = app.page.getByRole("dialog", { name: /^Run / });
        await dialog.getByRole("combobox", { name: "Worker" }).getByText("codex").waitFor();
        await dialog.getByRole("textbox", { name: "Folder" }).fill(repo);
        await dialog.getByRole("textbox", { name: "Test command" }).fill("test -s one.txt");
        await dialog.getByRole("button", { name: "Start" }).click();
        await app.page.getByText(/The plan (is running|waits for your answer)/).waitFor();
        await row(app, "one").click();
        await app.page.getByLabel("Output", { exact: true }).getByText("hands on").waitFor();
        await app.button("Pause").click();
        await app.page.getByText("The plan is paused.").waitFor();
        await app.button("Resume").click();
        await app.page.getByText(/The plan (is running|waits for your answer)/).waitFor();
        await app.hub.kill();
        await app.page
          .getByText(/Connection to AgentFlow lost/)
          .first()
          .waitFor();
        drop("hold");
        await app.hub.restart();
        await app.reconnect();
        const resume = app.button("Resume");
        await until(
          "the plan to go on, or to be resumed",
          async () => {
            if (await resume.isVisible()) await resume.click({ timeout: 500 }).catch(() => undefined);
            return (await app.hub.ask<{ entries: { tool: string }[] }>("GET", "/api/inbox")).entries.some(
              (e) => e.tool === "merge",
            );
          },
          Boolean,
          90_000,
        );
        expect(git(repo, "ls-files")).toBe(""); // nothing is merged that was not allowed
        await app.page.reload();
        await merge(app, "one");
        await merge(app, "copy");
        await until(
          "the merged work",
          () => existsSync(path.join(repo, "two.txt")) && git(repo, "ls-files"),
          (files) => files === "one.txt\ntwo.txt",
          60_000,
        );
        await app.go("plan");
        await app.page.locator(".plan-start button.lrow, .plan-row").first().waitFor();
        if (await app.page.locator(".plan-start button.lrow").count())
          await app.page.locator(".plan-start button.lrow").first().click();
        await app.page.getByText("2 of 2 done").waitFor();
        expect(await watch.problems(app.page)).toEqual([]);
      },
      (q) => {
        if (q.includes("Call the second task a copy"))
          return patch([{ op: "update", task_id: toRename, title: "copy" }]);
        return q.includes('"type":"decompose"') ? proposal : undefined;
      },
    );
  });
});
