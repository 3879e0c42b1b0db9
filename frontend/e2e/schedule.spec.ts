import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import { violations } from "./axe.ts";
import { FakeGateway } from "./fakeGateway.ts";

const team = { entries: { lead: { name: "Lead" }, web: { name: "Web" } } };
const job = {
  id: "news",
  name: "Morning news",
  agentId: "lead",
  enabled: true,
  schedule: { kind: "cron", expr: "0 7 * * 1-5", tz: "Europe/Berlin" },
  payload: { kind: "agentTurn", message: "Read the news" },
  state: {
    nextRunAtMs: 1_796_018_400_000,
    lastRunAtMs: 1_795_000_000_000,
    lastRunStatus: "error",
    lastError: "no model",
  },
};
const own = { ...job, id: "own", name: "Skill review", declarationKey: "review:lead", state: {} };

/** Opens the tab of an agent. */
async function openTab(app: App, id: string, agent: string): Promise<void> {
  await app.go(`canvas/${id}`);
  await app.page.locator(`.react-flow__node[data-id="${agent}"]`).click();
  await app.page.getByRole("tab", { name: "Schedule" }).click();
}

describe("cron jobs of a gateway", () => {
  test("OC-3 a job is added, run, disabled, edited and deleted, and the gateway's events show", async ({ open }) => {
    const gateway = await FakeGateway.start(team);
    try {
      gateway.jobs = [job, own, { ...job, id: "other", name: "Of another", agentId: "web" }];
      let id = "";
      const app = await open({ seed: async (hub) => void (id = await gateway.join(hub)) }),
        { page } = app;
      await openTab(app, id, "lead");
      await app.node("web").getByText("Idle").waitFor(); // the gateway tells who has a run
      const row = page.getByRole("listitem", { name: "Morning news" });
      await row.getByText("0 7 * * 1-5 (Europe/Berlin)").waitFor();
      await row.getByText(/^Next: /).waitFor();
      await row.getByText(/^Last run: failed/).waitFor();
      await row.getByText("no model", { exact: true }).waitFor();
      expect(await page.getByRole("listitem", { name: "Of another" }).count()).toBe(0);
      expect(await page.getByRole("button", { name: "Delete Skill review" }).count()).toBe(0);
      expect(await violations(app)).toEqual([]);
      await row.getByText("Last runs").click();
      await row.getByRole("list", { name: "Last runs" }).getByText("no model").waitFor();

      await row.getByRole("button", { name: "Run Morning news now" }).click();
      await page.getByText("Job started", { exact: true }).waitFor();
      await row.getByText(/^Running since/).waitFor();
      gateway.setJob("news", { state: { lastRunAtMs: 1_795_000_100_000, lastRunStatus: "ok" } });
      await row.getByText(/^Last run: done/).waitFor();

      await row.getByRole("switch").click();
      await until(
        "the job to be disabled",
        () => Promise.resolve(gateway.jobs?.[0]?.enabled),
        (on) => on === false,
      );
      await row.getByText(/^Next: /).waitFor({ state: "detached" });

      await page.getByRole("button", { name: "Add job" }).click();
      const form = page.getByRole("dialog", { name: "Add a job for Lead" });
      await form.getByRole("button", { name: "Add job" }).click();
      await form.getByText("Enter a name.").waitFor();
      await form.getByText("Enter a message.").waitFor();
      await form.getByLabel("Name").fill("Pulse");
      await form.getByText("Enter a name.").waitFor({ state: "detached" });
      await form.getByLabel("Message").fill("Look around");
      await form.getByRole("radio", { name: "Cron expression" }).click();
      expect(await violations(app)).toEqual([]);
      await form.getByLabel("Cron expression").last().fill("0 7 *");
      await form.getByRole("button", { name: "Add job" }).click();
      await form.getByText("Enter five to seven parts, separated by spaces.").waitFor();
      await form.getByRole("radio", { name: "At intervals" }).click();
      await form.getByLabel("Interval", { exact: true }).fill("30");
      await form.getByRole("combobox", { name: "Unit" }).click();
      await page.getByRole("option", { name: "Minutes" }).click();
      await form.getByRole("button", { name: "Add job" }).click();
      const pulse = page.getByRole("listitem", { name: "Pulse" });
      await pulse.getByText("Every 30 minutes").waitFor();
      expect(gateway.jobs.at(-1)).toMatchObject({
        agentId: "lead",
        schedule: { kind: "every", everyMs: 1_800_000 },
        payload: { kind: "agentTurn", message: "Look around" },
      });

      await pulse.getByRole("button", { name: "Edit Pulse" }).click();
      const edit = page.getByRole("dialog", { name: "Edit Pulse" });
      await edit.getByLabel("Message").fill("Look twice");
      await edit.getByRole("button", { name: "Save changes" }).click();
      await edit.waitFor({ state: "detached" });
      expect(gateway.jobs.at(-1)).toMatchObject({ name: "Pulse", payload: { message: "Look twice" } });

      await pulse.getByRole("button", { name: "Delete Pulse" }).click();
      const dialog = page.getByRole("dialog", { name: "Delete Pulse?" });
      await dialog.getByText(/You can't undo this\./).waitFor();
      await dialog.getByRole("button", { name: "Cancel" }).click();
      expect(gateway.jobs).toHaveLength(4);
      await pulse.getByRole("button", { name: "Delete Pulse" }).click();
      await dialog.getByRole("button", { name: "Delete job" }).click();
      await dialog.waitFor({ state: "detached" }); // behind a dialog, nothing has a role
      await pulse.waitFor({ state: "detached" });
      expect(gateway.jobs).toHaveLength(3);
      expect(app.complaints).toEqual([]);
    } finally {
      await gateway.stop();
    }
  });

  test("OC-3 an error of the gateway is shown where it happened, and a gateway without cron jobs offers none", async ({
    open,
  }) => {
    const gateway = await FakeGateway.start(team),
      none = await FakeGateway.start(team);
    try {
      gateway.jobs = [];
      let id = "",
        other = "";
      const app = await open({
          seed: async (hub) => {
            id = await gateway.join(hub);
            other = await none.join(hub, "plain");
          },
        }),
        { page } = app;
      await openTab(app, id, "lead");
      await page.getByText("No scheduled jobs yet").waitFor();
      gateway.refusals["cron.add"] = "cron jobs are full";
      await page.getByRole("button", { name: "Add job" }).click();
      const form = page.getByRole("dialog", { name: "Add a job for Lead" });
      await form.getByLabel("Name").fill("Pulse");
      await form.getByLabel("Message").fill("Look around");
      await form.getByRole("button", { name: "Add job" }).click();
      await form.getByText("Couldn't save the job. The gateway says: cron jobs are full").waitFor();
      expect(await form.getByLabel("Message").inputValue()).toBe("Look around"); // nothing is lost
      await form.getByRole("button", { name: "Cancel" }).click();
      gateway.refusals["cron.list"] = "the store is broken";
      gateway.setJob("", {});
      await page.getByText(/Couldn't load the jobs of studio\./).waitFor();
      delete gateway.refusals["cron.list"];
      gateway.jobs = [job];
      await page.getByRole("button", { name: "Retry" }).click();
      await page.getByRole("listitem", { name: "Morning news" }).waitFor();
      await openTab(app, other, "lead");
      await page.getByText("plain has no cron jobs").waitFor();
      expect(await page.getByRole("button", { name: "Add job" }).count()).toBe(0);
    } finally {
      await gateway.stop();
      await none.stop();
    }
  });

  test("OC-3 a gateway whose scheduler is off tells that, and shows no next run", async ({ open }) => {
    const gateway = await FakeGateway.start(team);
    try {
      gateway.jobs = [job];
      gateway.scheduling = false;
      let id = "";
      const app = await open({ seed: async (hub) => void (id = await gateway.join(hub)) }),
        { page } = app;
      await openTab(app, id, "lead");
      await page.getByText(/^studio's scheduler is off\./).waitFor();
      await app.node("lead").getByRole("img", { name: "Scheduled jobs: off on the gateway" }).waitFor();
      const row = page.getByRole("listitem", { name: "Morning news" });
      await row.getByText(/^Last run: failed/).waitFor();
      expect(await row.getByText(/^Next: /).count()).toBe(0);
      expect(await row.getByRole("button", { name: "Run Morning news now" }).isEnabled()).toBe(true);
      expect(await violations(app)).toEqual([]);

      gateway.scheduling = true;
      gateway.tellConfig();
      await row.getByText(/^Next: /).waitFor();
      await page.getByText(/scheduler is off/).waitFor({ state: "detached" });
      await app.node("lead").getByRole("img", { name: "Scheduled jobs", exact: true }).waitFor();
      expect(app.complaints).toEqual([]);
    } finally {
      await gateway.stop();
    }
  });
});
