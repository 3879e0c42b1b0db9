import { useTeam } from "./team";

/**
 * For as long as the next undo of the open team takes back the edit with this label: the last one, if none is named.
 * After that, an offer to undo it would undo something else.
 */
export function whileTeamUndoes(label = useTeam.getState().undoLabel) {
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
