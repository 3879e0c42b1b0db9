import { create } from "zustand";
import { hub } from "../api/hub";
import { assignFaces, noFaces, type Agent, type Faces, type Notify } from "../topology";
import { onHub, useHub } from "./hub";

type Named = Pick<Agent, "id" | "name">;
/** Agents of one team, with their faces. */
export type TeamFaces = { agents: readonly Named[]; faces: Faces };

export const teamOf = (agents: readonly Named[]): TeamFaces => ({ agents, faces: assignFaces(noFaces, agents) });

/** The agents that each gateway runs, whichever team is open. A gateway that was not asked yet, or never answered, is missing. */
export const useGatewayAgents = create<Readonly<Record<string, TeamFaces>>>()(() => ({}));

const settles = 400;
const due = new Map<string, ReturnType<typeof setTimeout>>();
const reading = new Map<string, number>();
let reads = 0;

async function read(gateway: string): Promise<void> {
  const mine = ++reads;
  reading.set(gateway, mine);
  try {
    const agents = await hub.gatewayAgents(gateway);
    if (reading.get(gateway) === mine) useGatewayAgents.setState({ [gateway]: teamOf(agents) });
  } catch {
    /* what was known stays; it is asked again when the gateway is heard of */
  }
}

/** Reads after a delay: one apply sends several notifications. */
function soon(gateway: string): void {
  if (!due.has(gateway))
    due.set(
      gateway,
      setTimeout(() => {
        due.delete(gateway);
        void read(gateway);
      }, settles),
    );
}

const up = () =>
  useHub
    .getState()
    .gateways.filter((g) => g.state === "connected")
    .map((g) => g.name);

function take(n: Notify): void {
  if (n.reset || n.gateways) for (const name of up()) soon(name);
  for (const a of n.applies ?? []) soon(a.gateway);
}

let following = false;
/** Follows who runs at the gateways, for as long as the page lives; the first to need it starts it. */
export function followGatewayAgents(): void {
  if (following) return;
  following = true;
  onHub({ notify: take });
  for (const name of up()) void read(name);
}

/** The agent of that id or name at any gateway. */
export function anywhere(
  teams: Readonly<Record<string, TeamFaces>>,
  same: (a: Named) => boolean,
): { agent: Named; faces: Faces } | undefined {
  for (const { agents, faces } of Object.values(teams)) {
    const agent = agents.find(same);
    if (agent) return { agent, faces };
  }
  return undefined;
}

/** The agents of teams that rooms were created from. */
export const useDrawnTeams = create<Readonly<Record<string, TeamFaces>>>()(() => ({}));

/** Reads the agents of a team once. A deleted team has none. */
export async function readDrawnTeam(team: string): Promise<void> {
  if (!team || useDrawnTeams.getState()[team]) return;
  try {
    useDrawnTeams.setState({ [team]: teamOf((await hub.team(team)).topology.agents) });
  } catch {
    /* its agents are known by their names alone */
  }
}
