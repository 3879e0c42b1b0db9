import { EVERYONE_NODE, useEveryoneNode } from "@/flow";
import { useHub } from "@/stores/hub";
import { useTeam, useTarget } from "@/stores/team";
import { useOpenProblems } from "@/stores/trust";
import { useUi } from "@/stores/ui";
import { everyoneBox, everyoneChanged, type Box, type Gateway, type Topology } from "@/topology";

/** Whether a team has the node: its gateway has settings for everyone, and there are agents that inherit them. */
const hasNode = ({ agents, defaults }: Topology, target: Gateway | undefined): boolean =>
  agents.length > 0 && (target ? !target.builtin : !!defaults);

/** The node of what every agent inherits, beside those of the team. */
export function useEveryone() {
  const topology = useTeam((s) => s.topology),
    mark = useTeam((s) => (everyoneChanged(s.changes) ? "chg" : undefined)),
    chosen = useUi((s) => !!s.chosen.everyone),
    problems = useOpenProblems(),
    target = useTarget();
  return useEveryoneNode({ shown: hasNode(topology, target), topology, mark, chosen, problems });
}

/** Its box, where the canvas has it. */
export function everyoneThere(): Box | undefined {
  const { topology, gateway } = useTeam.getState();
  const target = useHub.getState().gateways.find((g) => g.name === gateway);
  return hasNode(topology, target) ? everyoneBox(topology) : undefined;
}

export const isEveryone = (node: string) => node === EVERYONE_NODE;
export const chooseEveryone = () => useUi.getState().choose({ everyone: true });
