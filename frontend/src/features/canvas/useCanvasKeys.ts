import { useReactFlow } from "@xyflow/react";
import type { RefObject } from "react";
import { EVERYONE_NODE, groupOfNode, isChannelNode } from "@/flow";
import { useTeam } from "@/stores/team";
import { useUi } from "@/stores/ui";
import { KINDS, nothing, refusal, type Topology } from "@/topology";
import { inField, isMac, modalIsOpen, useShortcuts, type Handlers } from "@/ui";
import { connectAgents } from "./actions";
import { everyoneThere, isEveryone } from "./everyone";
import { movesOn, takeLost } from "./goTo";
import { useLane } from "./lane";
import { tellWhy } from "./refused";
import { aimAt, askKind, stopConnecting, useConnecting } from "./connecting";
import { acts, type Canvas } from "./keys";
import { aimMenu, bringIntoView, focusNode, screenPlace } from "./view";
import { isDirection, nextInDirection, walkOrder } from "./walk";

type Options = { area: RefObject<HTMLElement | null>; enabled: boolean } & Omit<Canvas, "flow">;

/** The keys while a connection is drawn. What they leave is the canvas's. */
const whileConnecting = (area: RefObject<HTMLElement | null>): Handlers<"connecting"> => ({
  aim: (_, e) => {
    const { from, targets, aimed, byKeys } = useConnecting.getState();
    if (!from || !byKeys || !targets) return false;
    if (isDirection(e.key)) aimAt(nextInDirection(useTeam.getState().topology, aimed ?? from, e.key, targets) ?? aimed);
  },
  askKind: () => {
    const { from, aimed, byKeys } = useConnecting.getState();
    if (!from || !byKeys || !aimed) return false;
    askKind(from, aimed, screenPlace(area.current, aimed));
  },
  connectAs: (n) => {
    const { from, aimed, byKeys } = useConnecting.getState(),
      kind = KINDS[n];
    if (!from || !byKeys || !aimed || !kind) return false;
    if (isChannelNode(from)) {
      askKind(from, aimed, screenPlace(area.current, aimed));
      return;
    }
    if (refusal(useTeam.getState().topology, { from, to: aimed, kind })) return false;
    stopConnecting();
    connectAgents({ from, to: aimed, kind });
  },
  stopConnecting: () => {
    if (!useConnecting.getState().from) return false;
    stopConnecting();
  },
});

/** The nodes as Tab goes: the channels first, as messages come in there, then everyone, then the agents. */
const tabOrder = (t: Topology) => [
  ...useLane.getState().lane.nodes.map((n) => n.id),
  ...(everyoneThere() ? [EVERYONE_NODE] : []),
  ...walkOrder(t),
];

/** Tab goes through the channels, then through agents and the groups around them, and leaves the canvas at its ends. */
function walk(e: KeyboardEvent, flow: Canvas["flow"], area: HTMLElement | null): boolean {
  const here = (document.activeElement as HTMLElement | null)?.closest<HTMLElement>(".react-flow__node")?.dataset.id;
  const order = tabOrder(useTeam.getState().topology),
    gone = takeLost();
  const at = here ? order.indexOf(here) : document.activeElement?.matches(".canvas-menu") ? gone : undefined;
  if (at === undefined || at < 0) return false;
  const next = order[at + (e.shiftKey ? -1 : here ? 1 : 0)];
  if (!next) return false;
  const group = groupOfNode(next);
  useUi
    .getState()
    .choose(
      isChannelNode(next)
        ? nothing
        : isEveryone(next)
          ? { everyone: true }
          : group === undefined
            ? { agents: [next] }
            : { groups: [group] },
    );
  bringIntoView(flow, area, next);
  focusNode(area, next);
  return true;
}

/**
 * Ctrl+Enter reviews from the inspector's fields, too: what is typed there is saved by then. Saving an ID replaces its
 * field, so the path of the event counts, which still has the inspector.
 */
const inInspector = (e: KeyboardEvent) =>
  (e.target as HTMLElement).matches("input, textarea, [role=combobox]") &&
  e.composedPath().some((at) => at instanceof Element && at.matches(".panel--side"));

/** The keys of the canvas. Letters and arrows act only when no field has the focus. */
export function useCanvasKeys({ area, enabled, add, write, paste }: Options): void {
  const flow = useReactFlow();
  const inCanvas = (e: KeyboardEvent) => area.current?.contains(e.target as Node) || e.target === document.body;
  const plain = (e: KeyboardEvent) => !e.ctrlKey && !e.metaKey && !e.altKey;
  // A letter or an arrow may mean something to a button or a tab; a chord does not.
  const when = (e: KeyboardEvent) => enabled && !modalIsOpen() && (inCanvas(e) || !(plain(e) || isDirection(e.key)));
  const act =
    (id: keyof typeof acts) =>
    (n: number, e: KeyboardEvent): boolean => {
      const drawn = useTeam.getState().topology,
        canvas = { flow, add, write, paste, ...movesOn(flow, area.current, () => tabOrder(drawn)) };
      return acts[id](canvas, n, e) !== false || tellWhy(id, canvas.focused);
    };
  useShortcuts("connecting", whileConnecting(area), { when, even: ["dialog"] });
  useShortcuts(
    "canvas",
    {
      ...(Object.fromEntries(Object.keys(acts).map((id) => [id, act(id as keyof typeof acts)])) as Record<
        keyof typeof acts,
        ReturnType<typeof act>
      >),
      walk: (_, e) => walk(e, flow, area.current),
      menu: () => {
        aimMenu(area.current, useUi.getState().chosen.agents[0], isMac);
        return isMac;
      },
    },
    { when: (e, id) => when(e) && (id !== "review" || !inField(e.target) || inInspector(e)), even: ["dialog"] },
  );
}
