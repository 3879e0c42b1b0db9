import { useEffect, useMemo } from "react";
import { create } from "zustand";
import { asApiError, type ApiError } from "../api/error";
import { trust } from "../api/trust";
import type { Agent, Problem, TrustStanding, TrustTeam } from "../topology";
import { useTeam, useTarget } from "./team";
import { useHub } from "./hub";
import { formatRoute } from "./routes";

type State = {
  teams?: TrustTeam[];
  error?: ApiError;
  /** The team on the canvas, as it was read last. */
  open?: TrustTeam;
};

/** What teams ask of the hub's computer, and what is allowed. */
export const useTrust = create<State>()(() => ({}));

const set = useTrust.setState;
let reading = 0,
  looking = 0;

async function load(): Promise<void> {
  const mine = ++reading;
  try {
    const teams = await trust.all();
    if (mine === reading) set({ teams, error: undefined });
  } catch (e) {
    if (mine === reading) set({ error: asApiError(e) });
  }
}

async function look(team: string): Promise<void> {
  const mine = ++looking;
  const open = await trust.team(team).catch(() => undefined); // what could not be read is asked for with the next change
  if (mine === looking && open) set({ open });
}

/** Requests about it. All reject with ApiError. */
export const trustActions = {
  load,
  /** Allows exactly what was shown. */
  allow: async (team: string, { agent, hash }: Pick<TrustStanding, "agent" | "hash">) => {
    await trust.allow(team, [{ agent, hash }]);
    await load();
  },
  revoke: async (team: string, agent: string) => {
    await trust.revoke(team, [agent]);
    await load();
  },
};

const pause = 250;

/** Keeps the list of all teams current for as long as it is shown. */
export function useFollowTrust(): void {
  const told = useHub((s) => s.trust),
    teams = useHub((s) => s.teams);
  useEffect(() => {
    const timer = setTimeout(() => void load(), useTrust.getState().teams ? pause : 0);
    return () => clearTimeout(timer);
  }, [told, teams]);
}

/** Whether an agent can ask for anything at all. */
const canAsk = (a: Agent) => !!(a.url || a.secretEnv || a.workspace || (a.extra && Object.keys(a.extra).length));

/** Where what a team asks for is allowed. */
export const trustLink = (team?: string) => formatRoute("settings", { section: "trust", team });

/** How it stands with what waits for the owner: its agents that cannot be used yet. */
export const waitingFor = (team: { agents: readonly TrustStanding[] } | undefined): TrustStanding[] =>
  team?.agents.filter((a) => a.state !== "allowed") ?? [];

const none: TrustStanding[] = [];

/** The open team, where it can ask for something and the built-in gateway runs it. */
function useAskingTeam(): string {
  const id = useTeam((s) => s.id),
    asks = useTeam((s) => s.status === "ready" && s.topology.agents.some(canAsk)),
    here = useTarget()?.dialect === "local";
  return asks && here ? id : "";
}

/** Keeps what the open team is allowed current. One part of the page does it for all that show it. */
export function useFollowAsking(): void {
  const wanted = useAskingTeam(),
    updatedAt = useTeam((s) => s.updatedAt),
    told = useHub((s) => s.trust);
  useEffect(() => {
    if (wanted) void look(wanted);
  }, [wanted, updatedAt, told]);
}

/** The agents of the open team that ask for something of this computer, where the built-in gateway runs the team. */
export function useAsking(): readonly TrustStanding[] {
  const wanted = useAskingTeam(),
    open = useTrust((s) => s.open);
  return wanted && open?.team === wanted ? open.agents : none;
}

/** What needs the owner's permission, as the linter reports it. */
const needsPermission = new Set(["runs_commands", "sends_secret", "sends_token", "acts_unasked", "writes_outside"]);

/** The open team's problems. A permission that is asked for says whether it is given. */
export function useProblems(): readonly Problem[] {
  const problems = useTeam((s) => s.problems),
    here = useTarget()?.dialect === "local",
    id = useTeam((s) => s.id),
    open = useTrust((s) => s.open);
  return useMemo(
    () => withPermissions(problems, here && open?.team === id ? open.agents : none),
    [problems, here, id, open],
  );
}

/** The open team's problems without the permissions that are given: what the owner agreed to is no problem. */
export function useOpenProblems(): readonly Problem[] {
  const problems = useProblems();
  return useMemo(() => openProblems(problems), [problems]);
}

export const openProblems = (problems: readonly Problem[]) =>
  problems.some((p) => p.params?.allowed) ? problems.filter((p) => !p.params?.allowed) : problems;

export function withPermissions(problems: readonly Problem[], standings: readonly TrustStanding[]): readonly Problem[] {
  const allowed = new Set<string | undefined>(standings.filter((a) => a.state === "allowed").map((a) => a.agent));
  const given = (p: Problem) => needsPermission.has(p.code) && allowed.has(p.agent);
  return problems.some(given)
    ? problems.map((p) => (given(p) ? { ...p, params: { ...p.params, allowed: "yes" } } : p))
    : problems;
}
