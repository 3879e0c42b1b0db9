import type { Page } from "playwright-core";
import { describe } from "vitest";
import WebSocket from "ws";
import { expect, test, until, type App } from "../app.ts";
import { withTeam } from "../team.ts";
import { Watch } from "./invariants.ts";
import { phone } from "./phone.ts";

// Journey 5: more than one person. A second browser of the owner on a phone, and somebody elsewhere with a token for one room.

type Message = { id: number; sender: string; message: string };
const kept = (app: App, room: string) =>
  app.hub.ask<{ messages: Message[] }>("GET", `/api/messages?room=${room}&limit=100`).then((r) => r.messages);
const field = (page: Page) => page.locator(".composer textarea");
const seen = (page: Page) => page.locator("article.msg[data-message]").allInnerTexts();

/** Somebody elsewhere, who talks in one room under one name. */
async function guest(app: App, room: string, name: string) {
  const { id, token } = await app.hub.ask<{ id: string; token: string }>("POST", "/api/security/callers", {
    name: `${name}'s laptop`,
    role: "rooms",
    rooms: [room],
    as: name,
  });
  const headers = { Authorization: `Bearer ${token}` },
    heard: string[] = [];
  const socket = new WebSocket(`${app.hub.url.replace("http", "ws")}/ws?room=${room}&sender=${name}`, { headers });
  socket.on("message", (m: Buffer) => heard.push(m.toString()));
  await new Promise((ok, no) => {
    socket.once("open", ok);
    socket.once("error", no);
  });
  const say = (message: string, to = room, as = name) =>
    fetch(`${app.hub.url}/api/message`, {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/json" },
      body: JSON.stringify({ room: to, sender: as, message }),
    }).then((r) => r.status);
  return { id, token, heard, say, close: () => socket.close() };
}

describe("journey 5: more than one person", () => {
  test("TR-4 CH-7 two browsers and a guest write at once: everybody reads everything, in one order, and the guest reads nothing else", async ({
    open,
  }) => {
    const app = await open({
      seed: async (hub) => {
        for (const room of ["Harbour", "Secret"])
          await hub.ask("POST", "/api/message", { room, sender: "backend", message: `begin ${room}` });
      },
    });
    const watch = Watch.start(app);
    await app.go("rooms/Harbour");
    await field(app.page).waitFor();
    const other = await phone(app, "#/rooms/Harbour"),
      ann = await guest(app, "Harbour", "Ann");
    watch.add(other);
    try {
      await field(other).waitFor();
      const write = async (page: Page, who: string) => {
        for (let i = 0; i < 5; i++) {
          await field(page).fill(`${who} ${i}`);
          await page.keyboard.press("Enter");
          await until(
            "the box to be empty",
            () => field(page).inputValue(),
            (v) => v === "",
          );
        }
      };
      const said = async () => {
        for (let i = 0; i < 5; i++) expect(await ann.say(`Ann ${i}`)).toBeLessThan(300);
      };
      await Promise.all([write(app.page, "desk"), write(other, "phone"), said()]);
      const all = await until(
        "all messages",
        () => kept(app, "Harbour"),
        (l) => l.length === 16,
      );
      const order = all.sort((a, b) => a.id - b.id).map((m) => m.message);
      for (const page of [app.page, other]) {
        await page.locator("article.msg[data-message]").getByText(order.at(-1)!, { exact: true }).waitFor();
        // A part of a long room is drawn: what is drawn is in order, without a gap.
        await until(
          "the order of the room",
          async () => (await seen(page)).map((t) => order.findIndex((m) => t.includes(m))),
          (at) => at.length > 3 && at.every((n, i) => n >= 0 && (i === 0 || n === at[i - 1]! + 1)),
        );
      }
      await until(
        "the guest to have heard the others",
        () => order.filter((m) => /^(desk|phone)/.test(m)).filter((m) => !ann.heard.some((h) => h.includes(`"${m}"`))),
        (missed) => !missed.length,
      );

      for (const refused of [await ann.say("hello", "Secret"), await ann.say("I am the owner", "Harbour", "root")])
        expect(refused).toBe(403);
      const asAnn = (path: string) => fetch(app.hub.url + path, { headers: { Authorization: `Bearer ${ann.token}` } });
      for (const path of ["/api/messages?room=Secret", "/api/teams", "/tasks", "/api/inbox", "/api/security/callers"]) {
        expect([path, (await asAnn(path)).status]).toEqual([path, 403]);
      }
      const { rooms } = (await (await asAnn("/api/rooms")).json()) as { rooms: { name: string }[] };
      expect(rooms.map((r) => r.name)).toEqual(["Harbour"]);
      expect(ann.heard.join("")).not.toContain("begin Secret");
      for (const page of [app.page, other]) expect(await watch.problems(page)).toEqual([]);
    } finally {
      ann.close();
      await other.context().close();
    }
  });

  test("CH-12 TR-4 agents answer a guest; what the guest's token opens ends when the owner takes it back", async ({
    open,
  }) => {
    await withTeam(
      open,
      function* () {
        yield "Aye.";
      },
      async (app) => {
        const watch = Watch.start(app),
          [team] = await app.hub.teams();
        await app.hub.ask("POST", "/api/rooms", { name: "Harbour", team: team!.id, agents: ["dev", "writer"] });
        await app.go("rooms/Harbour");
        await field(app.page).waitFor();
        const ann = await guest(app, "Harbour", "Ann");
        try {
          await app.page.locator(".room-people, aside").getByText("Ann", { exact: true }).first().waitFor();
          await ann.say("@Dev are you there?");
          await app.page.locator("article.msg[data-message]").getByText("Aye.", { exact: true }).first().waitFor();
          await until("the guest to hear the answer", () => ann.heard.some((h) => h.includes("Aye.")));
          await app.hub.ask("DELETE", `/api/security/callers/${ann.id}`);
          await until(
            "the guest to be gone",
            () => ann.say("still here?"),
            (status) => status === 401,
          );
          expect((await kept(app, "Harbour")).map((m) => m.message)).not.toContain("still here?");
          expect(await watch.problems(app.page)).toEqual([]);
        } finally {
          ann.close();
        }
      },
    );
  });
});
