import { describe } from "vitest";
import type { Team } from "../src/topology/types.ts";
import { expect, test, until, type App, type Options } from "./app.ts";
import { installed, realGateway, realVersions } from "./realGateway.ts";

const panel = (app: App) => app.page.locator(".sessions-panel");
const answers = (app: App) => panel(app).locator("article.msg:not(.is-me):not([data-live])");
const asked = (app: App) => panel(app).locator("article.msg.is-me");
const live = (app: App) => panel(app).locator("article.msg[data-live] .md");
const stop = (app: App) => panel(app).getByRole("button", { name: "Stop", exact: true });

async function say(app: App, text: string): Promise<void> {
  await panel(app).locator("textarea").fill(text);
  await app.page.keyboard.press("Enter");
}

/** What was said, each once, as the gateway keeps it. */
async function shown(app: App): Promise<void> {
  await answers(app).getByText("Echo: hello from the page", { exact: true }).waitFor();
  await asked(app).getByText("SLOW please", { exact: true }).waitFor();
  await until(
    "each, once",
    () => asked(app).locator(".md").allInnerTexts(),
    (l) => l.join() === "hello from the page,SLOW please",
  );
}

/** That the gateway restarts for a change is said at the change, and of all of them, before anything is sent. */
async function restartIsSaid(app: App): Promise<void> {
  const d = await app.hub.ask<Team>("POST", "/api/teams", { import: "Studio" });
  await app.page.evaluate((id) => localStorage.setItem("agentflow.team", id), d.id);
  await app.hub.save(
    d.id,
    { ...d.topology, agents: d.topology.agents.map((a, i) => (i ? a : { ...a, name: "Renamed" })) },
    "edit.name|Renamed",
  );
  await app.go("review");
  await app.page.reload();
  await app.page.locator(".review-row[data-change]").getByText("Restart", { exact: true }).first().waitFor();
  await app.page
    .locator("[data-total]")
    .getByText(/^One restart/)
    .first()
    .waitFor();
}

/** What the gateway holds is imported, changed, reviewed and applied: it ends well, is there, and nothing is said to have changed elsewhere. */
async function changeIsApplied(app: App): Promise<void> {
  const d = await app.hub.ask<Team>("POST", "/api/teams", { import: "Studio" });
  await app.openTeam(d.id);
  await app.node(d.topology.agents[0]!.id).click();
  await app.field("Name").fill("Renamed");
  await app.kept("the name", (now) => now.id === d.id && now.topology.agents[0]!.name === "Renamed");
  await app.page.keyboard.press("Control+Enter");
  await app.page.locator(".review-row[data-change]").first().waitFor();
  await app.button(/^Apply \d+ change/).click();
  await app.page
    .getByText(/^Applied \d+ change/)
    .first()
    .waitFor({ timeout: 120_000 });
  expect(JSON.stringify(await app.hub.config("Studio"))).toContain("Renamed");
  await app.go("canvas");
  await app.node(d.topology.agents[0]!.id).waitFor();
  expect(await app.page.getByText(/^Gateway changed/).count()).toBe(0);
}

/** A panel on a gateway of the release: it streams a reply, stops one, and shows the history after a reconnect. */
async function panelOn(version: string, open: (o?: Options) => Promise<App>): Promise<void> {
  const peer = await realGateway(version);
  try {
    const app = await open({
      patience: 120_000,
      seed: async (hub) => {
        await hub.ask("POST", "/api/gateways", { name: "Studio", url: peer.url, token: peer.token, color: 4 });
        await until(
          "the link",
          () => hub.ask<{ gateways: { name: string; state: string }[] }>("GET", "/api/gateways"),
          (r) => r.gateways.some((g) => g.name === "Studio" && g.state === "connected"),
          60_000,
        );
      },
    });
    await app.go(["sessions", "Studio", "agent:main:main"].map(encodeURIComponent).join("/"));
    await say(app, "hello from the page");
    await answers(app).getByText("Echo: hello from the page", { exact: true }).waitFor({ timeout: 60_000 });
    await stop(app).waitFor({ state: "detached", timeout: 60_000 });

    await say(app, "SLOW please");
    const some = await until(
      "some of the answer",
      () => live(app).innerText({ timeout: 500 }),
      (text) => text.startsWith("Echo: SLOW please"),
      60_000,
    );
    await until(
      "more of it",
      () => live(app).innerText({ timeout: 500 }),
      (text) => text.length > some.length && text.startsWith(some.trim()),
      60_000,
    );
    const behind = panel(app).getByText("Behind it", { exact: true });
    if (version === newest) {
      await say(app, "Behind it");
      await behind.waitFor();
      await app.page.reload();
      await behind.waitFor({ timeout: 60_000 });
    }
    await stop(app).click();
    await stop(app).waitFor({ state: "detached", timeout: 60_000 });
    await live(app).waitFor({ state: "detached", timeout: 60_000 });
    await panel(app).getByText("Stopped").first().waitFor({ timeout: 60_000 });
    expect(await panel(app).getByText("w199").count()).toBe(0);
    if (version === newest) {
      // This OpenClaw drops what waits behind an answer that is stopped.
      await panel(app).getByText("The gateway didn't save this message.").waitFor({ timeout: 60_000 });
      await panel(app).getByRole("button", { name: "Discard" }).click();
      await behind.waitFor({ state: "detached" });
    }

    await app.hub.kill();
    await panel(app).getByText("Connection to AgentFlow lost").waitFor();
    await app.hub.restart();
    await panel(app).getByText("Connection to AgentFlow lost").waitFor({ state: "detached", timeout: 60_000 });
    await shown(app);
    await app.page.reload();
    await shown(app);
    await (version === february ? restartIsSaid(app) : changeIsApplied(app));
  } finally {
    await peer.stop();
  }
}

const [newest, february] = realVersions;
for (const version of realVersions)
  if (!installed(version))
    console.error(
      `NOT RUN: a chat panel on OpenClaw ${version}, which is not installed: build/openclaw-peer.sh install ${version}`,
    );

describe("sessions of real OpenClaw gateways", () => {
  test("GW-9 GW-5 APP-4 a panel on an OpenClaw of February streams a reply, stops one, and shows the history after a reconnect; a review says that a change restarts it", async ({
    open,
    skip,
  }) => {
    skip(!installed(february));
    await panelOn(february, open);
  }, 480_000);
  test("GW-9 GW-5 APP-4 a panel on the newest OpenClaw streams a reply, stops one, and shows the history after a reconnect; a change of its team is applied and ends well", async ({
    open,
    skip,
  }) => {
    skip(!installed(newest));
    await panelOn(newest, open);
  }, 480_000);
});
