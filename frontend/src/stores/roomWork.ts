import { talk } from "../api/talk";
import type { AgentWork } from "../topology";
import { useRooms } from "./rooms";
import { whileHeard } from "./whileHeard";
import type { InRoom, RoomWork } from "./withRooms";

/** The states of a name in a room in which it has a turn. */
const turns: Partial<Record<string, AgentWork["state"]>> = {
  thinking: "running",
  answering: "running",
  waiting: "waiting",
};

/**
 * Tracks which agents of a team have a turn in a room, as long as there are listeners. The list of rooms has names
 * only, and the same name can be a person or an agent of another team: the room is asked whose each name is.
 */
export function roomWork(team: string): RoomWork {
  // Per room with turns: the names it was asked about, and the ids of the team's agents among them.
  const casts = new Map<string, { names: string; ids: ReadonlyMap<string, string> }>(),
    since = new Map<string, string>();
  let working = new Map<string, InRoom>();

  const tell = () => {
    const next = new Map<string, InRoom>(),
      begun = new Set<string>();
    for (const r of useRooms.getState().list) {
      const ids = casts.get(r.name)?.ids;
      for (const a of (ids && r.agents) ?? []) {
        const agent = ids?.get(a.name),
          state = turns[a.status];
        if (!agent || !state) continue;
        const turn = `${r.name}\n${agent}`;
        begun.add(turn);
        if (!since.has(turn)) since.set(turn, a.lastSeen);
        const had = next.get(agent);
        if (had) had.room.more++;
        else
          next.set(agent, {
            agent,
            state,
            task: "",
            title: r.name,
            since: since.get(turn)!,
            room: { name: r.name, more: 0 },
          });
      }
    }
    for (const turn of since.keys()) if (!begun.has(turn)) since.delete(turn);
    let changed = next.size !== working.size;
    for (const [agent, work] of next) {
      const old = working.get(agent);
      if (old && JSON.stringify(old) === JSON.stringify(work)) next.set(agent, old);
      else changed = true;
    }
    working = next;
    if (changed) heard.tell();
  };

  async function ask(room: string, names: string): Promise<void> {
    const mine = { names, ids: casts.get(room)?.ids ?? new Map<string, string>() };
    casts.set(room, mine);
    try {
      const { cast, agents } = await talk.roomState(room);
      if (casts.get(room) !== mine) return;
      const ours =
        cast?.team === team ? agents.filter((a) => !a.elsewhere && cast.agents.includes(a.agentId ?? "")) : [];
      casts.set(room, { names, ids: new Map(ours.map((a) => [a.name, a.agentId ?? ""])) });
      tell();
    } catch {
      if (casts.get(room) === mine) casts.delete(room); // it is asked again when the room is heard of
    }
  }
  const look = () => {
    const there = new Set<string>();
    for (const r of useRooms.getState().list) {
      const busy = r.agents.filter((a) => turns[a.status]).map((a) => a.name);
      if (!busy.length) continue;
      there.add(r.name);
      const asked = casts.get(r.name)?.names.split("\n") ?? [];
      if (busy.some((name) => !asked.includes(name))) void ask(r.name, busy.join("\n"));
    }
    for (const room of casts.keys()) if (!there.has(room)) casts.delete(room);
    tell();
  };
  const heard = whileHeard(() => {
    const off = useRooms.subscribe((s, was) => {
      if (s.list !== was.list) look();
    });
    look();
    return () => {
      off();
      casts.clear();
      since.clear();
      working = new Map();
    };
  });
  return {
    subscribe: heard.subscribe,
    of: (agent) => working.get(agent),
  };
}
