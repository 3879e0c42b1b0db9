import { client as c, take, within } from "./client";
import type { RoomPolicy } from "./types";

/** What the reader speaks. */
type Language = "en" | "ja";

const slow = 60_000;
const inRoom = (name: string) => ({ params: { path: { name } }, signal: within() });

export type MessagesQuery = { before?: number; after?: number; limit?: number };

/** The requests about rooms and sessions. */
export const talk = {
  rooms: () => take(c.GET("/api/rooms", { signal: within() })).then((r) => r.rooms),
  createRoom: (name: string, team?: string, agents?: string[]) =>
    take(c.POST("/api/rooms", { body: agents?.length ? { name, team, agents } : { name }, signal: within() })),
  roomState: (name: string) => take(c.GET("/api/rooms/{name}/state", inRoom(name))),
  /** Ends all turns, for good or for a while, or lets one agent have the last word. */
  stopRoom: (name: string, by: string) => take(c.POST("/api/rooms/{name}/stop", { ...inRoom(name), body: { by } })),
  steerRoom: (name: string, how: "pause" | "resume") => take(c.POST(`/api/rooms/{name}/${how}`, inRoom(name))),
  wrapUp: (name: string, by: string) => take(c.POST("/api/rooms/{name}/wrap-up", { ...inRoom(name), body: { by } })),
  setPolicy: (name: string, body: RoomPolicy) => take(c.PUT("/api/rooms/{name}/policy", { ...inRoom(name), body })),
  setCast: (name: string, team: string, agents: string[]) =>
    take(c.PUT("/api/rooms/{name}/cast", { ...inRoom(name), body: { team, agents } })),
  /** The path of a link that opens the page once, in a browser that has no session. */
  link: () => take(c.POST("/api/links", { signal: within() })).then((r) => r.path),
  deleteRoom: (name: string) => take(c.DELETE("/api/rooms/{name}", inRoom(name))),
  messages: (room: string, query: MessagesQuery) =>
    take(c.GET("/api/messages", { params: { query: { room, ...query } }, signal: within() })).then((r) => r.messages),
  searchMessages: (q: string, room: string | undefined, language: Language, before?: number) =>
    take(
      c.GET("/api/messages/search", { params: { query: { q, room, before, limit: 50, language } }, signal: within() }),
    ).then((r) => r.messages),
  post: (body: { room: string; sender: string; message: string; clientMessageId: string }) =>
    take(c.POST("/api/message", { body, signal: within() })),
  exportRoom: (name: string, format: "markdown" | "json", language: Language) =>
    take(
      c.GET("/api/rooms/{name}/export", {
        params: { path: { name }, query: { format, language } },
        parseAs: "blob",
        signal: within(slow),
      }),
    ),
  sessions: (gateway: string) =>
    take(
      c.POST("/api/gateway/sessions/list", {
        body: { gateway, includeLastMessage: true, messageLimit: 1 },
        signal: within(),
      }),
    ).then((r) => r.sessions),
  history: (gateway: string, sessionKey: string, limit: number, offset?: number) =>
    take(c.POST("/api/gateway/chat/history", { body: { gateway, sessionKey, limit, offset }, signal: within(slow) })),
  send: (gateway: string, sessionKey: string, message: string, idempotencyKey: string) =>
    take(
      c.POST("/api/gateway/chat/send", {
        body: { gateway, sessionKey, message, idempotencyKey },
        signal: within(slow),
      }),
    ),
  abort: (gateway: string, sessionKey: string) =>
    take(c.POST("/api/gateway/chat/abort", { body: { gateway, sessionKey }, signal: within() })),
  reset: (gateway: string, sessionKey: string) =>
    take(c.POST("/api/gateway/sessions/reset", { body: { gateway, sessionKey }, signal: within(2 * slow) })),
  /** A model summarizes the session, which takes as long as it takes. */
  compact: (gateway: string, sessionKey: string) =>
    take(c.POST("/api/gateway/sessions/compact", { body: { gateway, sessionKey }, signal: within(6 * slow) })),
  fork: (gateway: string, sessionKey: string) =>
    take(c.POST("/api/gateway/sessions/fork", { body: { gateway, sessionKey }, signal: within(2 * slow) })),
  desk: () => take(c.GET("/api/desk", { signal: within() })),
  putPlace: (body: { conversation: string; read?: string; draft?: string }, keepalive?: boolean) =>
    take(c.PUT("/api/desk", { body, keepalive, signal: within() })),
};
