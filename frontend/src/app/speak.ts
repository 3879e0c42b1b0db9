import { i18next } from "@/i18n";
import { stepText } from "@/i18n/step";
import { useTeam } from "@/stores/team";
import { diskFull } from "@/stores/saveQueue";
import { announce } from "@/ui";

const t = i18next.t.bind(i18next);

/** Tells a screen reader what became of the team: each edit, undo and redo, and whether it is saved. */
export function speak(): () => void {
  let step: string | undefined;
  return useTeam.subscribe((s, was) => {
    if (s.id !== was.id) return;
    if (s.lastEdit !== was.lastEdit && s.lastEdit) announce(stepText(t, s.lastEdit.label));
    if (s.busy !== was.busy) {
      if (s.busy === "undo" || s.busy === "redo") step = s.busy === "undo" ? s.undoLabel : s.redoLabel;
      else if (!s.busy && (was.busy === "undo" || was.busy === "redo") && s.save.state === "saved")
        announce(t(was.busy === "undo" ? "spoken.undone" : "spoken.redone", { what: step ? stepText(t, step) : "" }));
      else if (was.busy === "layout" && !s.busy) announce(stepText(t, "layout"));
    }
    if (s.save.state === was.save.state) return;
    if (s.save.state === "offline") announce(t(diskFull(s.save) ? "spoken.diskFull" : "spoken.offline"));
    else if (was.save.state === "offline" && s.save.state === "saved") announce(t("spoken.savedAgain"));
  });
}
