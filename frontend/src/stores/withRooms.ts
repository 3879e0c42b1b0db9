import type { AgentWork } from "../topology";
import { fetchLater } from "./fetched";
import { goTo } from "./routes";

/** The room that an agent answers in. */
export type AtRoom = { name: string; /** In how many others it answers meanwhile. */ more: number };
export type InRoom = AgentWork & { room: AtRoom };

/** What the agents of a team are at in rooms. */
export type RoomWork = { subscribe: (on: () => void) => () => void; of: (agent: string) => InRoom | undefined };

type Source = {
  subscribe: (on: () => void) => () => void;
  of: (agent: string) => (AgentWork & { question?: string }) | undefined;
};

/** Makes what tracks a team. */
type Rooms = (team: string) => RoomWork;
const loaded = new Promise<Rooms>((done) => fetchLater(async () => done((await import("./roomWork")).roomWork)));

/** What the agents of a team are at in rooms. Nothing, until the rooms are fetched after the first picture. */
export function roomWorkLater(team: string): RoomWork {
  let rooms: RoomWork | undefined;
  return {
    subscribe: (on) => {
      let end: (() => void) | undefined,
        over = false;
      void loaded.then((roomWork) => {
        if (over) return;
        rooms ??= roomWork(team);
        end = rooms.subscribe(on);
        on();
      });
      return () => {
        over = true;
        end?.();
      };
    },
    of: (agent) => rooms?.of(agent),
  };
}

/** Adds what agents are at in rooms. A task or session that runs, or a question to the person, counts before it. */
export function withRooms<S extends Source>(source: S, rooms: RoomWork) {
  return {
    ...source,
    subscribe: (on: () => void) => {
      const ends = [source.subscribe(on), rooms.subscribe(on)];
      return () => ends.forEach((end) => end());
    },
    of: (agent: string) => {
      const at = source.of(agent);
      return at && (at.state === "running" || at.question) ? at : (rooms.of(agent) ?? at);
    },
    openRoom: (room: string) => goTo("rooms", { room }),
  };
}
