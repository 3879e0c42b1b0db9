import { create } from "zustand";
import { linkKey, refusalOf, type Link } from "@/stores/planNeeds";
import type { PlanModel } from "@/stores/planTree";

type Hands = {
  /** A dependency that is being drawn: from what is waited for, over what it aims at. */
  from?: string;
  targets?: ReadonlySet<string>;
  aimed?: string;
  byKeys?: boolean;
  /** The dependency that is chosen. */
  link?: Link;
};

const none: Hands = { from: undefined, targets: undefined, aimed: undefined, byKeys: undefined, link: undefined };

/** What a person is about to do in the graph. */
export const useHands = create<Hands>()(() => none);

export const idle = () => useHands.setState(none);
export const chooseLink = (link: Link | undefined) => {
  const had = useHands.getState().link;
  if ((had && linkKey(had)) !== (link && linkKey(link))) useHands.setState({ ...none, link });
};
export const aimAt = (aimed: string | undefined) => {
  if (useHands.getState().aimed !== aimed) useHands.setState({ aimed });
};

/** Begins to draw a dependency: who may wait for the task is worked out once. */
export function drawFrom(model: PlanModel, from: string, shown: readonly { id: string }[], byKeys = false): void {
  useHands.setState({
    ...none,
    from,
    byKeys,
    targets: new Set(shown.flatMap(({ id }) => (refusalOf(model, { from, to: id }) ? [] : [id]))),
  });
}
