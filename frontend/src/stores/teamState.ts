import { share, type TeamState } from "../topology";
import type { TeamData } from "./team";

const stateOf = ({
  id,
  name,
  gateway,
  updatedAt,
  changes,
  unsent,
  staying,
  problems,
  canUndo,
  canRedo,
  undoLabel,
  redoLabel,
  undoApply,
  redoApply,
  collisions,
}: TeamState) => ({
  id,
  name,
  gateway,
  updatedAt,
  changes: changes ?? [],
  unsent,
  staying: staying ?? [],
  problems: problems ?? [],
  canUndo,
  canRedo,
  undoLabel,
  redoLabel,
  undoApply,
  redoApply,
  collisions: collisions ?? [],
});

/** What the hub says of a team, with what stayed as it was left alone. */
export function kept(s: TeamData, d: TeamState) {
  const next = stateOf(d);
  return {
    ...next,
    changes: share(s.changes, next.changes),
    staying: share(s.staying, next.staying),
    problems: share(s.problems, next.problems),
    collisions: share(s.collisions, next.collisions),
  };
}
