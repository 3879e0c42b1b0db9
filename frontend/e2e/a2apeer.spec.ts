import { afterEach, describe, expect, test } from "vitest";
import { bakery } from "./a2a.ts";
import { test as pageTest } from "./app.ts";
import { violations } from "./axe.ts";
import { baker, ended, give, hubWith, place, stopAll, stored, waiting } from "./a2ateam.ts";

// An A2A agent elsewhere as one of the team.

afterEach(stopAll);

describe("an A2A agent as one of the team", () => {
  test("AG-1: it gets the task with its token, its output is streamed, its result counts; progress never falls", async () => {
    const agent = await baker(),
      hub = await hubWith(agent);
    const id = await give(hub, "bread, please", { path: "loaf.md" });
    expect(await ended(hub, id)).toMatchObject({
      status: "completed",
      progress: 100,
      result: { text: "Flour, water, salt." },
      attempts: [{ agent: "baker" }],
    });
    const events = await fetch(`${hub.url}/tasks/${id}/events`, {
      headers: { Authorization: `Bearer ${hub.token}` },
    }).then((r) => r.text());
    const all = [...events.matchAll(/^data: (.*)$/gm)].map(
      (m) => JSON.parse(m[1]!) as { type: string; text?: string; progress?: number },
    );
    expect(
      all
        .filter((e) => e.type === "delta")
        .map((e) => e.text)
        .join(""),
    ).toBe("Flour, water, salt.");
    expect(all.filter((e) => e.type === "log").map((e) => e.text)).toEqual(["kneading", "baking"]);
    expect(all.flatMap((e) => (e.progress === undefined ? [] : [e.progress]))).toEqual([0, 0, 40, 100]);
    expect(agent.lines.map((l) => JSON.parse(l.replace("message ", "")) as unknown)).toEqual([
      {
        text: "bread, please",
        context: id,
        metadata: { agentflow: { taskType: "chat", context: { path: "loaf.md" } } },
      },
    ]);
    expect(await ended(hub, await give(hub, "direct answer?"))).toMatchObject({
      status: "completed",
      result: { text: "Yes." },
    });
  });

  test("AG-2: failures are reported with a reason, a rejection isn't retried, a wrong token is named", async () => {
    const agent = await baker(),
      hub = await hubWith(agent);
    const failed = await ended(hub, await give(hub, "fail now"));
    expect(failed).toMatchObject({
      status: "failed",
      attempts: [{ error: "the oven is cold" }, { error: "the oven is cold" }, { error: "the oven is cold" }],
    });
    expect(failed.errorMessage).toContain("the oven is cold");
    const rejected = await ended(hub, await give(hub, "reject this"));
    expect(rejected.attempts).toHaveLength(1);
    expect(rejected.errorMessage).toContain("I only bake");
    const other = await baker({ AGENT_TOKEN: "another" });
    await hub.changeConfig(bakery(other.url));
    await hub.trust();
    const refused = await ended(hub, await give(hub, "bread"));
    expect(refused.attempts).toHaveLength(1);
    expect(refused.errorMessage).toContain("refused the hub's secret");
  });

  test("AG-7: its question is answered in the inbox and goes back to it", async () => {
    const agent = await baker(),
      hub = await hubWith(agent);
    const id = await give(hub, "ask when");
    const q = await waiting(hub);
    await hub.ask("POST", `/api/inbox/${q.id}/answer`, { choice: "once", word: "the 20th" });
    expect(await ended(hub, id)).toMatchObject({ status: "completed", attempts: [{ agent: "baker" }] });
    expect((await stored(hub, id)).result?.text).toContain("Baked for the 20th.");
  });

  test("CO-4: it dies in the middle and is tried again, as any worker", async () => {
    const address = await place();
    const agent = await baker({ AGENT_SAYS: address.url }),
      next = await baker({ AGENT_SAYS: address.url, AGENT_AGAIN: "1" });
    address.leadTo(agent);
    const hub = await hubWith(address);
    const id = await give(hub, "die once");
    await agent.ended();
    address.leadTo(next);
    const done = await ended(hub, id);
    expect(done).toMatchObject({ status: "completed", result: { text: "Second loaf." } });
    expect(done.attempts!.length).toBeGreaterThan(1);
    expect(done.attempts![0]!.error).toMatch(
      /does not answer any more|has given the task up|cannot be reached|ended the conversation/,
    );
  });

  test("CO-4: the hub is killed and started again: what the agent is at is found there, not given twice", async () => {
    const agent = await baker(),
      hub = await hubWith(agent);
    const id = await give(hub, "ask when");
    await waiting(hub);
    await hub.kill();
    await hub.restart();
    const q = await waiting(hub);
    await hub.ask("POST", `/api/inbox/${q.id}/answer`, { choice: "once", word: "the 27th" });
    expect((await ended(hub, id)).result?.text).toContain("Baked for the 27th.");
    expect(agent.lines.filter((l) => l.includes("ask when"))).toHaveLength(1);
  });
});

describe("an A2A agent on the screen", () => {
  for (const language of ["en", "ja"] as const)
    pageTest(`is shown as such, and its address says what it speaks, ${language}`, async ({ open }) => {
      const words = {
        en: { speaks: "Protocol", elsewhere: "Remote agent", address: "URL" },
        ja: { speaks: "通信方式", elsewhere: "リモートエージェント", address: "URL" },
      }[language];
      const app = await open({ language, colorScheme: language === "ja" ? "dark" : "light" });
      const { id, topology } = await app.team();
      const agent = topology.agents[0]!.id;
      await app.node(agent).click();
      const elsewhere = app.page.locator("details.section").filter({ hasText: words.elsewhere });
      await elsewhere.locator("summary").click();
      await elsewhere.getByLabel(words.address, { exact: true }).fill("https://baker.example:8443/bread");
      await elsewhere.getByLabel(words.speaks, { exact: true }).getByRole("radio", { name: "A2A" }).click();
      await app.hub.kept(
        id,
        "the address",
        (d) => d.topology.agents.find((a) => a.id === agent)?.url === "a2a+https://baker.example:8443/bread",
      );
      await app.node(agent).getByText("A2A · baker.example:8443", { exact: true }).waitFor();
      expect(await app.node(agent).getAttribute("aria-label")).toContain("A2A · baker.example:8443");
      expect(await violations(app)).toEqual([]);
      await app.undo();
      await app.hub.kept(
        id,
        "the plain address",
        (d) => d.topology.agents.find((a) => a.id === agent)?.url === "https://baker.example:8443/bread",
      );
      expect(app.complaints).toEqual([]);
    });
});

describe("an A2A agent whose card leads elsewhere", () => {
  test("AG-6: is not followed, and no token goes there", async () => {
    const trap = await baker(),
      agent = await baker({ AGENT_SAYS: trap.url }),
      hub = await hubWith(agent);
    const refused = await ended(hub, await give(hub, "bread"));
    expect(refused.errorMessage).toContain("the hub speaks with nobody but the address that it was given");
    expect(refused.attempts).toHaveLength(1);
    expect(trap.lines).toEqual([]);
  });
});
