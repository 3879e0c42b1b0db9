import { followChats } from "../api/chatSocket";
import type { AgentWork, ChatFrame } from "../topology";
import { onHub } from "./hub";

/** What is told of the agents of a gateway that runs elsewhere. */
export type SessionWork = {
  subscribe: (on: () => void) => () => void;
  of: (agent: string) => AgentWork | undefined;
  lit: () => boolean;
  unknown: true;
};

/** Of "agent:lead:main", lead. */
const agentOf = (f: ChatFrame) => f.agentId || /^agent:([^:]+):/.exec(f.sessionKey ?? "")?.[1] || "";

/**
 * Who answers in a gateway's sessions, for as long as somebody listens. Of everything else that its agents may be at nothing is told:
 * an agent that is not in here is at rest or not, which nobody knows.
 */
export function sessionWork(gateway: string): SessionWork {
  const listeners = new Set<() => void>(),
    runs = new Map<string, { agent: string; since: string }>();
  let working = new Map<string, AgentWork>(),
    stop: (() => void) | undefined;
  const tell = () => {
    const next = new Map<string, AgentWork>();
    for (const { agent, since } of runs.values())
      if (!next.has(agent))
        next.set(agent, working.get(agent) ?? { agent, state: "running", task: "", title: "", since });
    working = next;
    for (const on of listeners) on();
  };
  const take = (f: ChatFrame) => {
    if (f.state === "resync") {
      runs.clear();
      tell();
      return;
    }
    const run = `${f.sessionKey ?? ""} ${f.runId ?? ""}`,
      agent = agentOf(f);
    if (f.state === "delta" || f.state === "status") {
      if (!agent || runs.has(run)) return;
      runs.set(run, { agent, since: new Date().toISOString() });
    } else if (!runs.delete(run)) return;
    tell();
  };
  const start = () => {
    // Without the link an end would not be heard.
    const link = followChats(gateway, {
      onFrame: take,
      onLink: (state) => {
        if (state !== "open" && runs.size) {
          runs.clear();
          tell();
        }
      },
    });
    const off = onHub({ back: () => link.retryNow() });
    return () => {
      off();
      link.stop();
      runs.clear();
      working = new Map();
    };
  };
  return {
    subscribe: (on) => {
      listeners.add(on);
      stop ??= start();
      return () => {
        listeners.delete(on);
        if (!listeners.size) {
          stop?.();
          stop = undefined;
        }
      };
    },
    of: (agent) => working.get(agent),
    lit: () => false,
    unknown: true,
  };
}
