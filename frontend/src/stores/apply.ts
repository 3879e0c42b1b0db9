import type {
  Apply,
  TeamSummary,
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
  teams: TeamSummary[];
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
  teams: [],
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

type Field = Exclude<keyof Notify, "seq" | "reset">;
/** What the picture has after a field came. */
type Take<F extends Field> = (from: Picture, value: NonNullable<Notify[F]>) => Partial<Picture>;

/** A field that another store follows with onHub, because it keeps what comes, or reads it again. */
const elsewhere = () => ({});

/** What each field of the stream does to the picture. One that is missing is a type error. */
const take: { [F in Field]: Take<F> } = {
  teams: (p, changed) => ({ teams: merge(p.teams, changed) }),
  gone: (p, ids) => ({ teams: without(p.teams, ids) }),
  plans: (p, changed) => ({ plans: merge(p.plans, changed) }),
  plansGone: (p, ids) => ({ plans: without(p.plans, ids) }),
  gateways: (_, gateways) => ({ gateways }),
  applies: (p, changed) =>
    changed.length ? { applies: { ...p.applies, ...Object.fromEntries(changed.map((a) => [a.id, a])) } } : {},
  settings: (_, settings) => ({ settings }),
  work: (_, work) => ({ work }),
  localAgents: (_, localAgents) => ({ localAgents }),
  inbox: (_, { waiting }) => ({ inbox: waiting }),
  templates: (p, changed) => ({ templates: p.templates + Number(changed) }),
  trust: (p, changed) => ({ trust: p.trust + Number(changed) }),
  rooms: elsewhere, // stores/rooms.ts
  roomsGone: elsewhere,
  desk: elsewhere, // stores/desk.ts and sessionNews.ts
  tasks: elsewhere, // stores/tasks.ts and taskWatch.ts
  tasksMany: elsewhere,
  given: elsewhere, // stores/teams.ts
};

/** What stays when the hub sends the whole state. The counters go up, so that their readers read again. */
const afterReset = ({ settings, templates, trust }: Picture): Picture => ({
  ...emptyPicture,
  known: true,
  settings,
  templates: templates + 1,
  trust: trust + 1,
});

const takeField = <F extends Field>(p: Picture, n: Notify, field: F): Picture => {
  const value: Notify[F] = n[field];
  return value == null ? p : { ...p, ...take[field](p, value) };
};

/** The one place where what the hub says becomes what the window knows. Absent means unchanged. */
export const applyNotify = (p: Picture, n: Notify): Picture =>
  (Object.keys(take) as Field[]).reduce((now, field) => takeField(now, n, field), n.reset ? afterReset(p) : p);

type Listed = { id: string; updatedAt: string };
/** Those there were, with what has changed; the one that changed last first. */
function merge<T extends Listed>(had: T[], changed: readonly T[]): T[] {
  if (!changed.length) return had;
  const byId = new Map([...had, ...changed].map((d) => [d.id, d]));
  return [...byId.values()].sort((a, b) => b.updatedAt.localeCompare(a.updatedAt) || a.id.localeCompare(b.id));
}

const without = <T extends Listed>(had: T[], ids: readonly string[]): T[] =>
  ids.length ? had.filter((d) => !ids.includes(d.id)) : had;
