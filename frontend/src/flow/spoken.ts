import type { TFunction } from "i18next";
import type { TextKey } from "../i18n/textKeys";
import { problemShort } from "../i18n/problem";
import {
  displayName,
  mindOf,
  shortModel,
  speaksA2A,
  type Agent,
  type AgentID,
  type Mark,
  type Problem,
  type Topology,
} from "../topology";
import type { LineKind } from "./kindStyle";

/** What a screen reader says of an agent beyond its name. */
export type Spoken = {
  agent: Agent;
  out: number;
  in: number;
  problems: readonly Problem[];
  mark?: Mark;
  /** What the mark means. */ foot: string;
};

type Ends = { out: number; in: number };
const counted = new WeakMap<Topology["agents"], Map<AgentID, Ends>>();

/** How many connections begin and end at each agent. */
export function endsOf(agents: Topology["agents"]): Map<AgentID, Ends> {
  const had = counted.get(agents);
  if (had) return had;
  const ends = new Map(agents.map((a) => [a.id, { out: 0, in: 0 }]));
  for (const a of agents)
    for (const c of a.connections ?? []) {
      const from = ends.get(a.id),
        to = ends.get(c.targetId);
      if (from && to && a.id !== c.targetId) {
        from.out++;
        to.in++;
      }
    }
  counted.set(agents, ends);
  return ends;
}

const texts = new WeakMap<TFunction, Map<string, string>>();
/** A text that many agents and lines share is put together once: in a large team that is most of what it takes to draw it. */
function shared(t: TFunction, key: TextKey, options: Record<string, string | number> = {}): string {
  let had = texts.get(t);
  if (!had) texts.set(t, (had = new Map<string, string>()));
  const id = `${key} ${Object.values(options).join(" ")}`;
  let text = had.get(id);
  if (text === undefined) had.set(id, (text = t(key, options)));
  return text;
}

/** Name, role, model, connections, problems and change, in the order in which they matter. */
export function spokenAgent(
  t: TFunction,
  { agent, out, in: into, problems: [first, ...more], mark, foot }: Spoken,
): string {
  return [
    displayName(agent),
    agent.role,
    speaksA2A(agent.url)
      ? mindOf(agent)
      : agent.model
        ? shared(t, "spoken.model", { name: shortModel(agent.model) })
        : shared(t, "spoken.noModel"),
    shared(t, "spoken.out", { count: out }),
    shared(t, "spoken.in", { count: into }),
    mark && foot,
    first && t("spoken.problems", { count: more.length + 1, first: problemShort(t, first) }),
  ]
    .filter(Boolean)
    .join(shared(t, "list.comma"));
}

/** What a screen reader says of a line: one connection, or so many. */
export type SpokenLine = { kind: LineKind; from: string; to: string; label?: string; count?: number };

/** Describes a line: its kind, both ends, and its label or count. */
export function spokenLine(t: TFunction, { kind, from, to, label, count }: SpokenLine): string {
  const line = shared(t, "spoken.connection", { kind: shared(t, `kind.${kind}`), from: "{from}", to: "{to}" }).replace(
    /\{(?:from|to)\}/g,
    (end) => (end === "{from}" ? from : to),
  );
  return [line, label, count && shared(t, "counts.connections", { count })]
    .filter(Boolean)
    .join(shared(t, "list.comma"));
}
