import type { useReactFlow } from "@xyflow/react";
import { i18next } from "@/i18n";
import { drawnKind, type AgentID } from "@/topology";
import { useUi } from "@/stores/ui";
import { announce } from "@/ui";
import { nameOf } from "./actions";
import type { Step } from "./follow";
import type { KeyCanvas } from "./keys";
import { bringIntoView, focusNode } from "./view";

type Moves = Pick<KeyCanvas, "focused" | "card" | "goTo" | "keepPlace" | "showStep">;

/** The agent whose node has the focus. */
export const focusedAgent = (): AgentID | undefined =>
  (document.activeElement as HTMLElement | null)?.closest<HTMLElement>(".react-flow__node-agent")?.dataset.id;

/** The card of a channel whose node has the focus. */
const focusedCard = (): string | undefined =>
  (document.activeElement as HTMLElement | null)?.closest<HTMLElement>(".react-flow__node-channel")?.dataset.id;

const whole = (area: HTMLElement, id: AgentID) => {
  const a = area.getBoundingClientRect(),
    b = area.querySelector(`.react-flow__node[data-id="${CSS.escape(id)}"]`)?.getBoundingClientRect();
  return !!b && b.left >= a.left && b.top >= a.top && b.right <= a.right && b.bottom <= a.bottom;
};

/** Where in the order of Tab the node stood that has gone with the focus. */
let lost: number | undefined;
export const takeLost = () => {
  const at = lost;
  lost = undefined;
  return at;
};

/** Gives a node the focus and leaves the choice as it is: coming to an agent by keys would choose it. */
export function focusOnly(area: HTMLElement | null, node: string): void {
  const { chosen } = useUi.getState();
  focusNode(area, node);
  if (useUi.getState().chosen !== chosen) useUi.getState().choose(chosen);
}

/** How keys move about on a canvas; `order` is that of Tab. */
export function movesOn(
  flow: ReturnType<typeof useReactFlow>,
  area: HTMLElement | null,
  order: () => readonly string[],
): Moves {
  const here = document.activeElement?.closest<HTMLElement>(".react-flow__node")?.dataset.id;
  return {
    focused: focusedAgent(),
    card: focusedCard(),
    goTo: (agent) => {
      useUi.getState().choose({ agents: [agent] });
      bringIntoView(flow, area, agent);
      focusNode(area, agent);
    },
    keepPlace: () => {
      if (!here) return;
      const at = order().indexOf(here);
      requestAnimationFrame(() => {
        if (document.activeElement !== document.body) return;
        area?.querySelector<HTMLElement>(".canvas-menu")?.focus({ preventScroll: true });
        lost = at < 0 ? undefined : at;
      });
    },
    showStep: ({ agent, line, at, of }: Step) => {
      if (area && !(whole(area, line.from) && whole(area, line.to)))
        useUi.getState().revealAgents([line.from, line.to]);
      focusOnly(area, agent);
      const kind = drawnKind(line.kind),
        t = i18next.t.bind(i18next);
      const words = { kind: t(`kind.${kind}`), from: nameOf(line.from), to: nameOf(line.to), at: at + 1, of };
      announce(line.label ? t("spoken.lineLabelled", { ...words, label: line.label }) : t("spoken.line", words));
    },
  };
}
