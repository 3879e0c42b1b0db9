import { create } from "zustand";
import { chosenCount, nothing, type RouteFrom } from "../topology";
import { useTeam } from "./team";
import { usePanel, useUi } from "./ui";

type Routing = {
  /** The line of bindings that is chosen on the canvas, by its ID. */
  picked?: string;
  /** Bindings on that line, by their position in the draft. */
  at: readonly number[];
  /** The binding that the panel's form is about, by its position in the draft. */
  edited?: number | "new";
  /** The broadcast group whose line is chosen, by its key. */
  group?: string;
  /** The broadcast group that the panel's form is about; without a key, a new one. */
  cast?: { key?: string };
  /** The message that the person asks about. */
  asked?: RouteFrom;
};

const none: Routing = {
  picked: undefined,
  at: [],
  edited: undefined,
  group: undefined,
  cast: undefined,
  asked: undefined,
};

/** What is chosen, edited and asked of the routes, on the canvas and in the panel alike. */
export const useRouting = create<Routing>()(() => none);

/** Chooses a line of bindings or of a broadcast group, or none. Nothing else is chosen then. */
export function pickRoute(picked: string | undefined, at: readonly number[] = [], group?: string): void {
  if (picked !== undefined) useUi.getState().choose(nothing);
  if (useRouting.getState().picked !== picked) useRouting.setState({ picked, at, group });
}

useUi.subscribe((s, was) => {
  if (s.chosen !== was.chosen && chosenCount(s.chosen)) pickRoute(undefined);
});
useTeam.subscribe((s, was) => {
  if (s.id !== was.id) useRouting.setState(none);
});

export const showRoutes = () => useUi.getState().setPanel("canvas.routes", { folded: false });

/** Whether the canvas has channels to show: the team has bindings or groups, or the person looks at the routes. */
export function useLaneUsed(): boolean {
  const bound = useTeam((s) => s.status === "ready" && (!!s.topology.bindings?.length || !!s.topology.broadcast)),
    ready = useTeam((s) => s.status === "ready"),
    { folded } = usePanel("canvas.routes");
  return bound || (ready && !folded);
}
