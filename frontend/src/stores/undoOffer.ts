import { usePlan } from "./plans";
import { useTeam } from "./team";

/** Holds until a store changes in a way that ends it. */
type While = { holds: () => boolean; subscribe: (changed: () => void) => () => void };

/**
 * For as long as the next undo of the open team takes back the edit with this label: the last one, if none is named.
 * After that, an offer to undo it would undo something else.
 */
export function whileTeamUndoes(label = useTeam.getState().undoLabel): While {
  const { id } = useTeam.getState();
  let saved = false;
  const holds = () => {
    const now = useTeam.getState(),
      is = now.id === id && now.undoLabel === label;
    saved ||= is;
    return is || (!saved && now.id === id);
  };
  return { holds, subscribe: useTeam.subscribe };
}

/** For as long as the next undo of the open plan takes back its last edit. */
export function whilePlanUndoes(): While {
  const was = usePlan.getState().whole;
  const holds = () => {
    const now = usePlan.getState().whole;
    return now?.id === was?.id && now?.undoLabel === was?.undoLabel;
  };
  return { holds, subscribe: usePlan.subscribe };
}
