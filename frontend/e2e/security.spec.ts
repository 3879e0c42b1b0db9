import { readFile } from "node:fs/promises";
import { get } from "node:http";
import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import { violations } from "./axe.ts";
import { dialog, settingsPart } from "./scenes/scene.ts";

type Stand = { allow: string[]; callers: { name: string; role: string }[]; auditsPrompts: boolean };

const stand = (app: App) => app.hub.ask<Stand>("GET", "/api/security");
const caller = (app: App, name: string) => app.page.locator(`[data-caller="${name}"]`);
const tokenOpens = async (app: App, token: string) =>
  (await fetch(`${app.hub.url}/tasks`, { headers: { Authorization: `Bearer ${token}` } })).status;

async function menu(app: App, name: string, item: string): Promise<void> {
  await caller(app, name)
    .getByRole("button", { name: `More about ${name}` })
    .click();
  await app.page.getByRole("menuitem", { name: item }).click();
  await dialog(app).waitFor();
}

/** Reads the token from its dialog, and closes the dialog. */
async function told(app: App, name: string): Promise<string> {
  await app.page.getByRole("dialog", { name: `Token for ${name}` }).waitFor();
  await app.page.keyboard.press("Escape"); // the only copy is not lost by a key
  const token = await dialog(app).locator("code").innerText();
  await app.button("I've copied it").click();
  await dialog(app).waitFor({ state: "detached" });
  expect(await app.page.content()).not.toContain(token);
  return token;
}

/** Asks the hub from another address of this computer. */
const from = (app: App, localAddress: string, token: string) =>
  new Promise<number | undefined>((done, fail) => {
    get(`${app.hub.url}/tasks`, { localAddress, agent: false, headers: { Authorization: `Bearer ${token}` } }, (r) => {
      r.resume();
      done(r.statusCode);
    }).on("error", fail);
  });

describe("the security settings", () => {
  test("AG-4 AG-5 AG-6 AG-7: callers come, change and go; a list that locks out is refused; budgets are kept; the log is searched and exported", async ({
    open,
  }) => {
    const app = await open();
    await settingsPart(app, "security");
    await app.page.getByText("No API tokens yet").waitFor();
    await app.page.getByText("Only this computer can connect to it.").waitFor();
    expect(await violations(app)).toEqual([]);

    await app.button("Add API token").click();
    await dialog(app).waitFor();
    await app.button("Create token").click();
    await dialog(app).getByText("Enter a name.").waitFor();
    await dialog(app).getByRole("textbox", { name: "Name" }).fill("build box");
    await app.page.keyboard.press("Enter");
    const first = await told(app, "build box");
    await caller(app, "build box").getByText("Read-only", { exact: true }).waitFor();
    expect(await tokenOpens(app, first)).toBe(200);

    await menu(app, "build box", "Edit…");
    await dialog(app)
      .getByRole("radio", { name: /^Submit tasks/ })
      .click();
    await dialog(app).getByRole("button", { name: "Save" }).click();
    await caller(app, "build box").getByText("Submit tasks", { exact: true }).waitFor();

    await menu(app, "build box", "New token…");
    await app.button("Create new token").click();
    const second = await told(app, "build box");
    expect([await tokenOpens(app, first), await tokenOpens(app, second)]).toEqual([401, 200]);

    await menu(app, "build box", "Revoke…");
    await app.button("Revoke").click();
    await app.page.getByText("No API tokens yet").waitFor();
    expect(await tokenOpens(app, second)).toBe(401);

    const list = app.page.getByRole("textbox", { name: "Allowed" });
    await list.fill("nonsense");
    await app.page.locator("form").filter({ has: list }).getByRole("button", { name: "Save" }).click();
    await app.page.getByText("“nonsense” isn't a valid network.").waitFor();
    await list.fill("192.0.2.0/24");
    await app.page.locator("form").filter({ has: list }).getByRole("button", { name: "Save" }).click();
    await app.page.getByText("you would lock yourself out").waitFor();
    expect((await stand(app)).allow).toEqual([]);
    await list.fill("127.0.0.0/8\n192.0.2.9/24");
    await app.page.locator("form").filter({ has: list }).getByRole("button", { name: "Save" }).click();
    await until(
      "the list to hold",
      () => list.inputValue(),
      (v) => v === "127.0.0.0/8\n192.0.2.0/24",
    );

    await app.page.getByRole("textbox", { name: "Max tokens" }).fill("５０００");
    await app.page.getByRole("textbox", { name: "Max minutes" }).fill("1.5");
    await app.page.locator("form").filter({ hasText: "Max tokens" }).getByRole("button", { name: "Save" }).click();
    await until(
      "the budgets to be kept",
      () => app.hub.ask<{ task: { tokens: number; seconds: number } }>("GET", "/api/budgets"),
      (b) => b.task.tokens === 5000 && b.task.seconds === 90,
    );

    const log = app.page.getByRole("list", { name: "Audit log" });
    await app.page.getByRole("textbox", { name: "Search by name, address, route or reason" }).fill("/rotate");
    await until(
      "one entry",
      () => log.getByRole("listitem").count(),
      (n) => n === 1,
    );
    await log.getByText("You (browser)").waitFor();
    await app.page.getByRole("radio", { name: "Rejected" }).click();
    await app.page.getByText("No matching entries.").waitFor();
    await app.page.getByRole("textbox", { name: "Search by name, address, route or reason" }).fill("locks_out");
    await log.getByText("409 · CONFLICT · locks_out").waitFor();
    const saving = app.page.waitForEvent("download");
    await app.button("Export JSON lines").click();
    const lines = (await readFile(await (await saving).path(), "utf8"))
      .trim()
      .split("\n")
      .map((l) => JSON.parse(l) as { path: string; reason: string });
    expect(lines).toMatchObject([{ path: "/api/security/networks", reason: "locks_out" }]);
    expect(await violations(app)).toEqual([]);
  });

  test("AG-4 AG-5 AG-7: a lockout is lifted, older entries are read, prompts are written down when that is wanted, the fingerprint is copied, and who leaves out the hub's own computer is asked first", async ({
    open,
  }) => {
    const app = await open({
      seed: async (hub) => {
        for (let n = 0; n < 80; n++) await hub.ask("PUT", "/api/security/audit", { auditsPrompts: false });
      },
    });
    const guess = () => from(app, "127.0.0.2", "a-guess");
    for (let n = 0; n < 20; n++) expect(await guess()).toBe(401);
    expect([await guess(), await guess()]).toEqual([429, 429]);
    await settingsPart(app, "security");
    await app.page
      .locator("[data-lockout]")
      .getByText(/^2\d wrong tokens$/)
      .waitFor();
    await app.button("Clear 127.0.0.2").click();
    await app.page.getByText(/^None\. After 20 wrong tokens/).waitFor();
    expect(await guess()).toBe(401);

    const entries = app.page.getByRole("list", { name: "Audit log" }).getByRole("listitem");
    await until(
      "a page of the log",
      () => entries.count(),
      (n) => n === 50,
    );
    await app.button("Show older entries").click();
    await app.button("Show older entries").waitFor({ state: "detached" });
    const order = await entries.evaluateAll((all) => all.map((e) => Number(e.getAttribute("data-entry"))));
    expect(order.length).toBeGreaterThan(80);
    expect(order).toEqual([...new Set(order)].sort((a, b) => b - a));

    const prompts = app.page.getByRole("switch", { name: /^Also log what agents are asked/ }),
      search = app.page.getByRole("textbox", { name: "Search by name, address, route or reason" });
    const ask = (userPrompt: string) =>
      app.hub.ask("POST", "/submit_task", { sessionId: "s", userPrompt, taskType: "chat" });
    await ask("a word of nobody's business");
    await prompts.click();
    await until(
      "prompts to be written down",
      () => stand(app),
      (s) => s.auditsPrompts,
    );
    await ask("count the sheep");
    await search.fill("/submit_task");
    await entries.getByText("count the sheep", { exact: true }).waitFor();
    expect(await entries.count()).toBe(2);
    expect(await entries.filter({ hasText: "nobody's business" }).count()).toBe(0);
    await prompts.click();
    await until(
      "prompts to be left out",
      () => stand(app),
      (s) => !s.auditsPrompts,
    );
    await until("the page to show it", async () => !(await prompts.isChecked()) && (await prompts.isEnabled()));

    await app.context.grantPermissions(["clipboard-read", "clipboard-write"]);
    const fingerprint = "sha256:" + "0a1b2c3d".repeat(8); // of a hub with TLS, which a browser would not open without being told to
    await app.page.route(/\/api\/security$/, async (route) => {
      const real = await route.fetch();
      await route.fulfill({ json: { ...((await real.json()) as object), tls: "made", fingerprint } });
    });
    await app.button("Refresh").click();
    await app.page.getByText(fingerprint, { exact: true }).waitFor();
    await app.page.locator("dl").filter({ hasText: fingerprint }).getByRole("button", { name: "Copy" }).click();
    await until(
      "the fingerprint on the clipboard",
      () => app.page.evaluate(() => navigator.clipboard.readText()),
      (text) => text === fingerprint,
    );
    expect(await violations(app)).toEqual([]);
    await app.page.unroute(/\/api\/security$/);

    await app.context.setExtraHTTPHeaders({ "X-Forwarded-For": "192.0.2.7" }); // as a proxy on this computer would say
    const allow = app.page.getByRole("textbox", { name: "Allowed" }),
      save = app.page.locator("form").filter({ has: allow }).getByRole("button", { name: "Save" });
    await allow.fill("192.0.2.0/24");
    await app.page.getByRole("textbox", { name: "Trusted proxies" }).fill("127.0.0.1");
    await save.click();
    await app.page
      .getByRole("dialog", { name: "Exclude this computer?" })
      .getByRole("button", { name: "Cancel" })
      .click();
    await dialog(app).waitFor({ state: "detached" });
    expect((await stand(app)).allow).toEqual([]);
    await save.click();
    await app.button("Exclude").click();
    await dialog(app).waitFor({ state: "detached" });
    await until(
      "this computer to be refused",
      () => from(app, "127.0.0.1", app.hub.token),
      (status) => status === 403,
    );
    expect(await allow.inputValue()).toBe("192.0.2.0/24");
  });
});
