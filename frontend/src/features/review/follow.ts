import { onHub, useHub } from "@/stores/hub";
import { useTeam } from "@/stores/team";
import { useUi } from "@/stores/ui";
import { begin, dropAsked, enterReview, fresh, loadPreview, useReview, watch, watchedApply } from "./store";

/**
 * The hub sent its whole state, as after a restart. The preview may be out of date, and an apply
 * that the hub no longer knows never ends.
 */
function dropOld(): void {
  const { watching, preview, refreshing, sending, team } = useReview.getState();
  if (sending) return;
  const known = !!watchedApply();
  if (!preview && !refreshing && (known || !watching)) return;
  dropAsked();
  useReview.setState({ ...fresh, watching: known ? watching : undefined });
  const { screen } = useUi.getState();
  if (screen === "review") enterReview(team);
  else if (screen === "merge") void loadPreview();
}

/** An apply of the open team that another window, or this one before a reload, has started. */
export function follow(): () => void {
  const resets = onHub({
    notify: (n) => {
      if (n.reset) dropOld();
    },
  });
  const applies = useHub.subscribe((s, before) => {
    if (s.applies === before.applies) return;
    const team = useTeam.getState().id;
    const running = Object.values(s.applies).find((a) => a.team === team && a.state === "running");
    if (team && running && useReview.getState().watching !== running.id) {
      begin(team);
      watch(running.id);
    }
  });
  return () => {
    resets();
    applies();
  };
}
