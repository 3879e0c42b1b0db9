import { followChats } from "../api/chatSocket";
import { talk } from "../api/talk";
import { connectionKey, type AgentWork, type ChatFrame, type Session } from "../topology";
import { onHub, useHub } from "./hub";
import { goTo } from "./routes";
import { whileHeard } from "./whileHeard";

/** The session that an agent answers in. */
export type AtSession = {
  key: string;
  /** The agent that started it. */ parent?: string;
  tokens?: number;
  cost?: number;
  /** How many others the agent answers in meanwhile. */ more: number;
};

/** What the agents of an external gateway work on. */
export type SessionWork = {
  subscribe: (on: () => void) => () => void;
  of: (agent: string) => (AgentWork & { session?: AtSession }) | undefined;
  lit: (connection: string) => boolean;
  /** The agent has jobs, and the gateway's scheduler runs them or is off. */ scheduled: (
    agent: string,
  ) => "on" | "off" | undefined;
  open: (key: string) => void;
  /** The gateway has told which sessions have a run, and its events come: an agent without one is idle. */
  known: () => boolean;
};

/** The wait before the list is read, the wait between reads while something runs, and the most runs. */
const settles = 400,
  every = 15_000,
  mostRuns = 500;

const agentIn = (key: string) => /^agent:([^:]+):/.exec(key)?.[1] ?? "";
const agentOf = (f: ChatFrame) => f.agentId || agentIn(f.sessionKey ?? "");

/** The title of the task that a session is for, while an agent of a gateway works on it. */
const taskIn = (gateway: string, agent: string, key: string) =>
  useHub
    .getState()
    .work.agents.find((w) => w.agent === `${agent}@${gateway}` && key.endsWith(`:task-${w.task.toLowerCase()}`))?.title;

type Run = { key: string; agent: string; since: string };

/**
 * Tracks which agents answer in a gateway's sessions, as long as there are listeners. It uses the gateway's events,
 * and its list of sessions, which also has earlier runs. An agent that isn't listed can still work on something else.
 * Without a connection to the gateway nothing counts as running, because an end wouldn't be noticed.
 */
export function sessionWork(gateway: string): SessionWork {
  const runs = new Map<string, Run>(),
    since = new Map<string, string>(),
    /** When a session's run ended, counted in ends: a list that was asked for before may not know it. */ ended =
      new Map<string, number>();
  let rows = new Map<string, Session>(),
    running: Session[] = [],
    working = new Map<string, AgentWork & { session?: AtSession }>(),
    lit = new Set<string>(),
    ends = 0,
    told = false,
    life = 0,
    due: ReturnType<typeof setTimeout> | undefined;

  const tell = () => {
    const busy = new Map<string, Run>();
    for (const s of running)
      busy.set(s.sessionKey, { key: s.sessionKey, agent: s.agentId, since: s.startedAt ?? begun(s.sessionKey) });
    for (const r of runs.values()) if (!busy.has(r.key)) busy.set(r.key, r);
    for (const key of since.keys()) if (!busy.has(key)) since.delete(key);
    const next: typeof working = new Map(),
      lights = new Set<string>();
    for (const { key, agent, since: at } of busy.values()) {
      const s = rows.get(key),
        parent = agentIn(s?.parent ?? ""),
        had = next.get(agent);
      if (parent && parent !== agent) lights.add(connectionKey({ from: parent, kind: "command", to: agent }));
      if (had?.session) {
        had.session.more++;
        continue;
      }
      next.set(agent, {
        agent,
        state: "running",
        task: "",
        title: s?.title || taskIn(gateway, agent, key) || key.replace(`agent:${agent}:`, ""),
        since: at,
        session: { key, parent: parent || undefined, tokens: s?.totalTokens, cost: s?.costUsd, more: 0 },
      });
    }
    for (const [agent, work] of next) {
      const old = working.get(agent);
      if (old && JSON.stringify(old) === JSON.stringify(work)) next.set(agent, old);
    }
    working = next;
    lit = lights;
    heard.tell();
  };
  const begun = (key: string) => {
    const at = since.get(key) ?? new Date().toISOString();
    since.set(key, at);
    return at;
  };
  const clear = () => {
    clearTimeout(due);
    due = undefined;
    runs.clear();
    running = [];
    told = false;
    tell();
  };
  const connected = () => useHub.getState().gateways.some((g) => g.name === gateway && g.state === "connected");

  async function read(): Promise<void> {
    const began = ends,
      mine = life;
    let list: Session[] | undefined;
    try {
      list = await talk.sessions(gateway);
    } catch {
      // Without an answer, the list before no longer counts.
    }
    if (mine !== life) return;
    told = !!list;
    list ??= [];
    rows = new Map(list.map((s) => [s.sessionKey, s]));
    running = connected() ? list.filter((s) => s.running && (ended.get(s.sessionKey) ?? 0) <= began) : [];
    if (began === ends) ended.clear();
    tell();
    if (running.length || runs.size) soon(every);
  }
  const soon = (wait = settles) => {
    if (!connected()) return;
    clearTimeout(due);
    due = setTimeout(() => void read(), wait);
  };

  const take = (f: ChatFrame) => {
    if (f.state === "resync") {
      clear();
      soon();
      return;
    }
    const key = f.sessionKey ?? "",
      run = `${key} ${f.runId ?? ""}`,
      agent = agentOf(f);
    if (f.state === "delta" || f.state === "status") {
      if (!agent || runs.has(run) || runs.size >= mostRuns) return;
      runs.set(run, { key, agent, since: begun(key) });
    } else {
      ended.set(key, ++ends);
      const before = running.length;
      running = running.filter((s) => s.sessionKey !== key);
      if (!runs.delete(run) && before === running.length) return;
    }
    tell();
    soon();
  };
  const heard = whileHeard(() => {
    let open = false,
      there = connected();
    const follow = () => {
      life++;
      if (open && there) soon();
      else clear();
    };
    const link = followChats(gateway, {
      onFrame: take,
      onLink: (state) => {
        open = state === "open";
        follow();
      },
    });
    const off = onHub({ back: () => link.retryNow() }),
      gone = useHub.subscribe((s, was) => {
        if (s.gateways === was.gateways) return;
        heard.tell();
        if (connected() === there) return;
        there = !there;
        follow();
      });
    return () => {
      off();
      gone();
      link.stop();
      life++;
      clear();
      working = new Map();
    };
  });
  return {
    subscribe: heard.subscribe,
    of: (agent) => working.get(agent),
    lit: (connection) => lit.has(connection),
    scheduled: (agent) => {
      const cron = useHub.getState().gateways.find((g) => g.name === gateway)?.cron;
      return cron?.agents.includes(agent) ? (cron.off ? "off" : "on") : undefined;
    },
    open: (key) => goTo("sessions", { gateway }, [key]),
    known: () => told && connected() && !!useHub.getState().gateways.find((g) => g.name === gateway)?.listsRuns,
  };
}
