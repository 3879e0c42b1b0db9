import { MARK_OF, type Change, type Mark } from "../topology";

/** A place on the canvas is moved, also where the team had none for an agent of the gateway. */
export const markOf = (c: Pick<Change, "op" | "subject">): Mark => (c.subject === "layout" ? "mov" : MARK_OF[c.op]);

/** The changes that are more than a place on the canvas. */
export const worthTelling = (changes: readonly Change[] | undefined): Change[] =>
  (changes ?? []).filter((c) => c.subject !== "layout");
