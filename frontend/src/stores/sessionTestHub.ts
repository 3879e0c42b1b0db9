import { vi } from "vitest";
import { Answer, FakeSocket, scriptedHub } from "../api/scriptedHub";
import type { ChatFrame, SessionMessage } from "../topology";
import { viewGateway } from "./sessions";

export const key = "agent:lead:main";
export const user = (text: string, at: string): SessionMessage => ({
  role: "user",
  timestamp: at,
  content: [{ type: "text", text }],
});
export const agent = (text: string, at: string): SessionMessage => ({ ...user(text, at), role: "assistant" });
export const settled = (ms = 20) => vi.advanceTimersByTimeAsync(ms);
export const clock = () => new Date().toISOString();

/** A session that is open in the page, and what its gateway answers. */
export async function talking(before: { history?: SessionMessage[]; away?: boolean } = {}) {
  const s = {
    history: before.history ?? [],
    away: before.away === true,
    running: false,
    post: (): unknown => ({ runId: "run-1" }),
  };
  const hub = scriptedHub({
    "POST /api/gateway/sessions/list": () => ({ sessions: s.running ? [{ sessionKey: key, running: true }] : [] }),
    "GET /api/desk": () => ({ person: "Mika", places: [] }),
    "PUT /api/desk": () => ({}),
    "POST /api/gateway/chat/history": () => {
      if (s.away) throw new Answer(503);
      return { messages: s.history };
    },
    "POST /api/gateway/chat/send": () => s.post(),
  });
  const view = viewGateway("local"),
    leave = view.start();
  await settled();
  FakeSocket.made[0]!.open();
  const close = view.open(key);
  await settled();
  return Object.assign(s, {
    close,
    hub,
    view,
    leave,
    chat: () => view.use.getState().chats[key]!,
    unkept: () => view.use.getState().chats[key]!.sent.map((o) => [o.text, o.unkept]),
    frame: (f: ChatFrame) => FakeSocket.made[0]!.frame({ sessionKey: key, ...f }),
  });
}
