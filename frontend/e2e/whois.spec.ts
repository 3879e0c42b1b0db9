import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import type { Hub } from "./hub.ts";
import { gate, withTeam } from "./team.ts";

const key = "agent:lead:main";

/** Opens another team for the same gateway. It has an agent that isn't applied. */
async function openAnother(app: App): Promise<void> {
  const { id } = await app.hub.ask<{ id: string }>("POST", "/api/teams", { name: "Another", gateway: "local" });
  await app.hub.save(id, { agents: [{ id: "solo", name: "Solo" }], layout: {} });
  await app.openTeam(id);
  await app.node("solo").waitFor();
}
const send = (hub: Hub) =>
  hub.ask("POST", "/api/gateway/chat/send", { sessionKey: key, message: "hello", idempotencyKey: "first" });
const face = (app: App, within: string) =>
  app.page
    .locator(within)
    .first()
    .evaluate((e) => ({ letters: e.textContent, color: e.className + (e.getAttribute("style") ?? "") }));

describe("who an agent is, whichever team is open", () => {
  test("B7 B16 sessions know the gateway's agents by name and face", async ({ open }) => {
    const app = await open({ seed: (hub) => send(hub).then(() => undefined) });
    await app.go("sessions");
    const row = app.page.locator(".sessions-list button.lrow").filter({ hasText: "Lead" });
    await row.waitFor();
    const before = await face(app, ".sessions-list button.lrow .ava");
    await openAnother(app);
    await app.go("sessions");
    await row.waitFor();
    expect(await face(app, ".sessions-list button.lrow .ava")).toEqual(before);
    await app.button("New session").click();
    await app.page.getByRole("menuitem", { name: "Backend" }).waitFor();
    expect(await app.page.getByRole("menuitem", { name: "Solo" }).count()).toBe(0);
    expect(app.complaints).toEqual([]);
  });

  test("B16 a room's agents stay agents, with their names and faces", async ({ open }) => {
    const rest = gate();
    await withTeam(
      open,
      async function* () {
        yield "Here.";
        await rest.opened;
      },
      async (app) => {
        const [team] = await app.hub.teams();
        await app.hub.ask("POST", "/api/rooms", { name: "Talk", team: team!.id, agents: ["dev", "writer"] });
        const agents = () => app.page.locator(".panel--side").first().innerText();
        const here = async () => {
          await app.go("rooms/Talk");
          await app.page.getByText("3 online").waitFor();
          return until("the agents", agents, (text) => /Dev/.test(text) && /Writer/.test(text));
        };
        const wasFace = await here().then(() => face(app, ".panel--side .ava"));
        await openAnother(app);
        const text = await here();
        expect(text.indexOf("Dev")).toBeLessThan(text.search(/people/i));
        expect(await face(app, ".panel--side .ava")).toEqual(wasFace);
        rest.open();
        expect(app.complaints).toEqual([]);
      },
    );
  });
});
