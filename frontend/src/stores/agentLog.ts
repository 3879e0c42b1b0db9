import { useEffect, useState } from "react";
import { localAgents } from "../api/localAgents";
import type { LocalLine } from "../topology";
import { asApiError, type ApiError } from "./faults";
import { onHub } from "./hub";

/** How many lines a window keeps; the hub keeps no more. */
const most = 2000,
  waits = 25;

export type AgentLog = {
  lines: LocalLine[];
  /** Nothing has come yet. */ loading: boolean;
  error?: ApiError;
  /** Older lines are gone. */ cut: boolean;
};

const empty: AgentLog = { lines: [], loading: true, cut: false };

/** An agent's log as it grows. It is read from the start for a new `round` and after a reconnect to the hub. */
export function useAgentLog(id: string, round: number): AgentLog {
  const [log, setLog] = useState(empty);
  const [back, setBack] = useState(0);
  useEffect(() => onHub({ back: () => setBack((n) => n + 1) }), []);
  useEffect(() => {
    const gone = new AbortController();
    const read = async () => {
      for (let after = 0, wait = 0; !gone.signal.aborted; wait = waits) {
        const part = await localAgents.log(id, after, wait, gone.signal);
        if (gone.signal.aborted) return;
        const first = after === 0;
        after = Math.max(after, part.last);
        setLog((l) => ({
          lines: first ? part.lines : part.lines.length ? [...l.lines, ...part.lines].slice(-most) : l.lines,
          loading: false,
          cut: l.cut || part.first > 1,
        }));
      }
    };
    read().catch((e: unknown) => {
      if (!gone.signal.aborted) setLog((l) => ({ ...l, loading: false, error: asApiError(e) }));
    });
    return () => gone.abort();
  }, [id, round, back]);
  return log;
}
