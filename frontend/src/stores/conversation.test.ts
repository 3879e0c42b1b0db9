import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Answer, FakeSocket, scriptedHub } from "../api/scriptedHub";
import type { RoomMessage } from "../topology";
import { begin, begunText } from "./begun";
import { viewRoom } from "./conversation";
import { outboxOf } from "./roomOutbox";

const message = (id: number, sender = "Mika", more: Partial<RoomMessage> = {}): RoomMessage => ({
  id,
  room: "dev",
  sender,
  message: `m${id}`,
  timestamp: "2026-11-21T09:00:00Z",
  type: "chat",
  ...more,
});
const settled = () => vi.advanceTimersByTimeAsync(50);

async function joined(messages: RoomMessage[] = []) {
  const hub = scriptedHub({ "GET /api/messages": () => ({ messages }) });
  const view = viewRoom("dev", "Mika"),
    leave = view.start();
  await settled();
  const socket = FakeSocket.made[0]!;
  socket.open();
  return { hub, view, leave, socket, now: () => view.use.getState() };
}

describe("a room as it is read", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it("CH-12: agents that answer the same message at once each have an answer of their own", async () => {
    const { socket, now, leave } = await joined([message(32)]);
    const part = (agent: string, text: string, whole = false) =>
      socket.frame({ live: { type: "partial", room: "dev", agent, turnId: "turn-32", text, whole } });
    for (const text of ["This ", "is ", "slow."])
      for (const agent of ["Lead", "Writer", "Researcher"]) part(agent, text);
    const said = () => now().growing.map((g) => `${g.agent}: ${g.text}`);
    expect(said()).toEqual(["Lead: This is slow.", "Writer: This is slow.", "Researcher: This is slow."]);
    part("Writer", "Anew", true);
    expect(said()).toEqual(["Lead: This is slow.", "Writer: Anew", "Researcher: This is slow."]);
    socket.frame({ live: { type: "end", room: "dev", agent: "Lead", turnId: "turn-32", outcome: "answered" } });
    expect(said()).toEqual(["Writer: Anew", "Researcher: This is slow."]);
    // Lead has ended and Researcher has begun another turn: a status about one agent says nothing about the others.
    socket.frame({
      live: {
        type: "status",
        room: "dev",
        status: {
          room: "dev",
          state: "open",
          agents: [{ name: "Lead" }, { name: "Researcher", turnId: "turn-33" }, { name: "Writer", turnId: "turn-32" }],
        },
      },
    });
    expect(said()).toEqual(["Writer: Anew"]);
    leave();
  });

  it("CH-12: what is sent while the hub is away arrives once, though the room was left", async () => {
    let away = true;
    const posted: string[] = [],
      kept = new Map<string, string>();
    scriptedHub({
      "GET /api/messages": () => {
        if (away) throw new Answer(0);
        return { messages: [] };
      },
      "POST /api/message": ({ body }) => {
        if (away) throw new Answer(0);
        posted.push((body as { message: string }).message);
        return message(posted.length);
      },
      "GET /api/desk": () => ({ person: "", places: [] }),
      "PUT /api/desk": ({ body }) => {
        const { conversation, draft } = body as { conversation: string; draft: string };
        kept.set(conversation, draft);
      },
    });
    away = false;
    const first = viewRoom("dev", "Mika"),
      leave = first.start();
    await settled();
    away = true;
    for (const text of ["Not lost", "nor this", "and in order"]) first.send(text);
    await settled();
    const wanted = ["Not lost", "nor this", "and in order"];
    expect(first.use.getState().outbox.map((o) => o.text)).toEqual(wanted);
    leave();
    expect(JSON.parse(begunText("unsent dev"))).toMatchObject(wanted.map((text) => ({ sender: "Mika", text })));
    const again = viewRoom("dev", "Mika"),
      leaveAgain = again.start();
    await settled();
    expect(again.use.getState()).toMatchObject({ status: "failed", outbox: wanted.map((text) => ({ text })) });
    leaveAgain();
    away = false;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(posted).toEqual(wanted);
    expect([outboxOf("dev"), begunText("unsent dev"), kept.get("begun:unsent dev")]).toEqual([[], "", ""]);
  });

  it("CH-12: what an earlier page couldn't send is sent by the next one", async () => {
    const posted: unknown[] = [];
    begin("unsent dev", JSON.stringify([{ clientId: "c1", sender: "Mika", text: "Still here", at: "" }]));
    scriptedHub({
      "GET /api/messages": () => ({ messages: [] }),
      "POST /api/message": ({ body }) => {
        posted.push(body);
        return message(1);
      },
      "GET /api/desk": () => ({ person: "", places: [] }),
    });
    const leave = viewRoom("dev", "Mika").start();
    await settled();
    leave();
    expect(posted).toEqual([{ room: "dev", sender: "Mika", message: "Still here", clientMessageId: "c1" }]);
  });

  it("CH-12: a message that arrived just before a reload stands there once", async () => {
    begin("unsent dev", JSON.stringify([{ clientId: "c1", sender: "Mika", text: "m1", at: "" }]));
    scriptedHub({
      "GET /api/messages": () => ({ messages: [message(1, "Mika", { clientMessageId: "c1" })] }),
      "POST /api/message": () => new Promise(() => undefined), // the hub takes its time
      "GET /api/desk": async () => {
        await new Promise((done) => setTimeout(done, 20));
        return { person: "", places: [] };
      },
    });
    const view = viewRoom("dev", "Mika"),
      leave = view.start();
    await settled();
    expect(view.use.getState()).toMatchObject({ messages: [{ id: 1 }], outbox: [] });
    leave();
  });
});
