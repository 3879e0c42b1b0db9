import { groupOfNode } from "@/flow";
import { useUi } from "@/stores/ui";
import { chooseEveryone, isEveryone } from "./everyone";

const nodes = [
  ".react-flow__node-agent",
  ".react-flow__node-note",
  ".react-flow__node-frame",
  ".react-flow__node-folded",
  ".react-flow__node-everyone",
];
const reached = `:is(${nodes.join(", ")}):focus-visible`;

/** Chooses the node that Tab came to, so that the keys act on what has the focus. */
export function chooseFocused(el: HTMLElement): void {
  const { id } = el.dataset;
  const group = id && groupOfNode(id);
  const { chosen, choose } = useUi.getState();
  if (!id || !el.matches(reached)) return;
  if (isEveryone(id)) {
    if (!chosen.everyone) chooseEveryone();
    return;
  }
  if (id.startsWith("note:")) {
    if (!chosen.notes.includes(id.slice(5))) choose({ notes: [id.slice(5)] });
    return;
  }
  if (group) {
    if (!chosen.groups.includes(group)) choose({ groups: [group] });
  } else if (!chosen.agents.includes(id)) choose({ agents: [id] });
}
