import { getViewportForBounds, useReactFlow, useStoreApi } from "@xyflow/react";
import { useEffect, useRef } from "react";
import { create } from "zustand";
import { emptyLane, fitOptions, isRoute, type Lane } from "@/flow";
import { pickRoute, useLaneUsed, useRouting } from "@/stores/routing";
import { useUi } from "@/stores/ui";
import type { AgentID } from "@/topology";
import { announce, useMedia } from "@/ui";

/** The channels on the canvas while they are shown. */
export const useLane = create<{ lane: Lane }>()(() => ({ lane: emptyLane }));

export const takeLane = (lane: Lane = emptyLane) => useLane.setState({ lane });

/** Whether the channels are to be shown: there is something to show, and the person wants to see it. */
export function useLaneShown(): boolean {
  const lane = useUi((s) => s.lane),
    used = useLaneUsed(),
    phone = useMedia("(max-width: 639px)");
  return lane && used && !phone;
}

const acts = () => useLane.getState().lane.acts;
export const pickedRoute = () => useRouting.getState().picked;

/** Takes React Flow's selection of lines of the lane out of a list of changes. */
export function selectRoutes<T extends { id: string; selected: boolean }>(changes: readonly T[]): T[] {
  const routes = changes.filter((c) => isRoute(c.id)),
    on = routes.find((c) => c.selected);
  if (on) acts()?.pick(on.id);
  else if (routes.some((c) => c.id === pickedRoute())) pickRoute(undefined);
  return changes.filter((c) => !isRoute(c.id));
}

/** Chooses a line of bindings. */
export const pickLine = (line: string) => acts()?.pick(line);
export const bindRoute = (card: string, agent: AgentID): boolean => !!acts()?.bind(card, agent);
export const moveRoute = (line: string, agent: AgentID): boolean => !!acts()?.move(line, agent);

/** Deletes the bindings of the chosen line. */
export function removeRoute(): boolean {
  const line = pickedRoute();
  return !!line && !!acts()?.remove(line);
}

/** Opens the form on the chosen binding. */
export function editRoute(): boolean {
  const line = pickedRoute();
  if (!line) return false;
  acts()?.edit(line);
  return true;
}

/** Chooses the next (1) or the one before (-1) of the lines that begin at a card, round and round. */
export function stepRoute(card: string, by: 1 | -1): boolean {
  const lines = useLane.getState().lane.edges.filter((e) => e.source === card && e.selectable !== false),
    now = lines.findIndex((e) => e.id === pickedRoute());
  const next = lines[now < 0 ? (by > 0 ? 0 : lines.length - 1) : (now + by + lines.length) % lines.length];
  if (!next) return false;
  acts()?.pick(next.id);
  announce(next.ariaLabel ?? "");
  return true;
}

/** When something comes beside the team and all was in view, it comes into view, too. `ids` are the nodes beside it. */
export function useBesideInView(ids: string): void {
  const { getNodes, getNodesBounds, setViewport } = useReactFlow();
  const store = useStoreApi();
  const before = useRef("");
  useEffect(() => {
    const had = new Set(before.current.split("\n")),
      came = new Set(ids.split("\n").filter((id) => !had.has(id)));
    before.current = ids;
    const { width, height, minZoom, transform } = store.getState(),
      { padding, maxZoom } = fitOptions(),
      all = getNodes(),
      rest = all.filter((n) => !came.has(n.id)),
      fit = (nodes: typeof all) =>
        getViewportForBounds(getNodesBounds(nodes), width, height, minZoom, maxZoom, padding);
    if (!width || !height || !rest.length || rest.length === all.length) return;
    const was = fit(rest);
    if (
      Math.abs(was.zoom - transform[2]) < 0.001 &&
      Math.abs(was.x - transform[0]) < 2 &&
      Math.abs(was.y - transform[1]) < 2
    )
      void setViewport(fit(all));
  }, [ids, store, getNodes, getNodesBounds, setViewport]);
}
