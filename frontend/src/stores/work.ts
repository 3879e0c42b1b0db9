import type { AgentWork, Question, Topology } from "../topology";
import { connectionKey, displayName } from "../topology";
import { useHub } from "./hub";
import { chooseQuestion } from "./inbox";
import { useUi } from "./ui";

/** What an agent is at; `question` waits for the person. */
type AtWork = AgentWork & { question?: string };
type Picture = { agents: Map<string, AtWork>; lit: Set<string> };
let last: readonly AgentWork[] | undefined,
  asked: readonly Question[] | undefined,
  picture: Picture = { agents: new Map(), lit: new Set() };

const same = (a: AtWork, b: AtWork) =>
  a.question === b.question &&
  a.state === b.state &&
  a.task === b.task &&
  a.since === b.since &&
  a.title === b.title &&
  a.why === b.why &&
  a.cause?.code === b.cause?.code &&
  a.from === b.from;

/** What the hub said last, with the objects of before wherever nothing about them is new. */
function now(): Picture {
  const {
    work: { agents },
    inbox,
  } = useHub.getState();
  if (agents === last && inbox === asked) return picture;
  last = agents;
  asked = inbox;
  const had = picture.agents,
    next = new Map<string, AtWork>(),
    lit = new Set<string>();
  for (const a of agents) {
    const old = had.get(a.agent);
    next.set(a.agent, old && same(old, a) ? old : a);
    if (a.state === "running" && a.from) lit.add(connectionKey({ from: a.from, kind: "command", to: a.agent }));
  }
  // What waits for the person counts before what the agent is at: it goes on only after the answer. The oldest is asked first.
  for (const q of [...inbox].reverse()) {
    const old = had.get(q.agent),
      asks: AtWork = {
        agent: q.agent,
        state: "waiting",
        task: q.task ?? "",
        title: q.tool ?? "",
        since: q.askedAt,
        question: q.id,
      };
    next.set(q.agent, old && same(old, asks) ? old : asks);
  }
  picture = { agents: next, lit };
  return picture;
}

/** What each agent works on, for the nodes and connections of the applied team. */
export const atWork = {
  subscribe: (on: () => void) =>
    useHub.subscribe((s, before) => {
      if (s.work !== before.work || s.inbox !== before.inbox) on();
    }),
  of: (agent: string): AtWork | undefined => now().agents.get(agent),
  answer: (question: string): void => {
    chooseQuestion(question);
    useUi.getState().go("inbox");
  },
  lit: (connection: string): boolean => now().lit.has(connection),
};

type Source = {
  subscribe: (on: () => void) => () => void;
  of: (agent: string) => AtWork | undefined;
  lit: (connection: string) => boolean;
  answer?: (question: string) => void;
  nameOf?: (agent: string) => string;
  open?: (session: string) => void;
  known?: () => boolean;
};

/**
 * What a gateway's agents are at, for a team. Agents of a team that was never applied can have the same ids, so only
 * those count that the team was applied with.
 */
export function ofApplied(source: Source, applied: Topology | undefined): Source {
  const ids = new Set(applied?.agents.map((a) => a.id));
  return {
    ...source,
    subscribe: ids.size ? source.subscribe : () => () => undefined,
    of: (agent) => (ids.has(agent) ? source.of(agent) : undefined),
    nameOf: (agent) => displayName(applied?.agents.find((a) => a.id === agent) ?? { id: agent }),
    lit: (connection) => ids.size > 0 && source.lit(connection),
  };
}
