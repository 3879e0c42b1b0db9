import type {
  Apply,
  DrawingSummary,
  Gateway,
  LocalAgent,
  LocalCandidate,
  Notify,
  PlanSummary,
  Question,
  Settings,
  Work,
} from "../topology";

/** Everything the hub has told this window. */
export type Picture = {
  /** False until the first whole picture. */
  known: boolean;
  drawings: DrawingSummary[];
  gateways: Gateway[];
  applies: Record<string, Apply>;
  settings: Settings;
  /** Counts up whenever the kept templates are not as they were. */
  templates: number;
  /** Counts up whenever what is allowed on this computer is not as it was. */
  trust: number;
  /** What waits for the person, oldest first. */
  inbox: Question[];
  /** Agents that run on the hub's computer in processes of their own, and those of the applied team that could. */
  localAgents: { agents: LocalAgent[]; candidates: LocalCandidate[] };
  /** What the agents are at. */
  work: Work;
  /** The one that changed last first. */
  plans: PlanSummary[];
};

export const defaultSettings: Settings = {
  language: "auto",
  theme: "auto",
  gpuPolicy: "never",
  motion: "auto",
  snap: "on",
  textSize: 100,
  onboardingDone: true,
};
export const emptyPicture: Picture = {
  known: false,
  drawings: [],
  gateways: [],
  applies: {},
  settings: defaultSettings,
  templates: 0,
  trust: 0,
  inbox: [],
  localAgents: { agents: [], candidates: [] },
  work: { running: 0, waiting: 0, agents: [] },
  plans: [],
};

/** The one place where what the hub says becomes what the window knows. Absent means unchanged. */
export function applyNotify(p: Picture, n: Notify): Picture {
  const from = n.reset ? { ...emptyPicture, settings: p.settings } : p;
  return {
    known: p.known || n.reset === true,
    drawings: merge(from.drawings, n.teams, n.gone),
    plans: merge(from.plans, n.plans, n.plansGone),
    gateways: n.gateways ?? from.gateways,
    applies: n.applies?.length
      ? { ...from.applies, ...Object.fromEntries(n.applies.map((a) => [a.id, a])) }
      : from.applies,
    settings: n.settings ?? from.settings,
    work: n.work ?? from.work,
    localAgents: n.localAgents ?? from.localAgents,
    templates: p.templates + (n.templates || n.reset ? 1 : 0),
    trust: p.trust + (n.trust || n.reset ? 1 : 0),
    inbox: n.inbox?.waiting ?? from.inbox,
  };
}

/** Those there were, with what has changed; the one that changed last first. */
function merge<T extends { id: string; updatedAt: string }>(had: T[], changed?: T[], gone?: string[]): T[] {
  if (!changed?.length && !gone?.length) return had;
  const byId = new Map(had.map((d) => [d.id, d]));
  for (const d of changed ?? []) byId.set(d.id, d);
  for (const id of gone ?? []) byId.delete(id);
  return [...byId.values()].sort((a, b) => b.updatedAt.localeCompare(a.updatedAt) || a.id.localeCompare(b.id));
}
