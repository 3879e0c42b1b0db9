import { i18next } from "@/i18n";
import { stepText } from "@/i18n/step";
import { useTeam } from "@/stores/team";
import { diskFull } from "@/stores/saveQueue";
import { announce } from "@/ui";

const t = i18next.t.bind(i18next);

/** Steps that reached a gateway. Undo and redo of the draft leave the gateway as it is. */
const there = /^(apply|kept|rollback|seen)\|/;

const traveled = (way: "undo" | "redo", step: string) => {
  const what = stepText(t, step);
  if (there.test(step)) return t(way === "undo" ? "spoken.undoneHere" : "spoken.redoneHere", { what });
  return t(way === "undo" ? "spoken.undone" : "spoken.redone", { what });
};

/** Tells a screen reader what became of the team: each edit, undo and redo, and whether it is saved. */
export function speak(): () => void {
  let before: string | undefined;
  return useTeam.subscribe((s, was) => {
    if (s.id !== was.id) return;
    if (s.lastEdit !== was.lastEdit && s.lastEdit) announce(stepText(t, s.lastEdit.label));
    if (s.busy !== was.busy) {
      if (s.busy === "undo" || s.busy === "redo") before = s.updatedAt;
      else if (!s.busy && (was.busy === "undo" || was.busy === "redo") && s.save.state === "saved") {
        // What was undone is what redo would bring again, also where the edit was saved only on the way.
        const step = was.busy === "undo" ? s.redoLabel : s.undoLabel;
        if (step && s.updatedAt !== before) announce(traveled(was.busy, step));
      } else if (was.busy === "layout" && !s.busy) announce(stepText(t, "layout"));
    }
    if (s.save.state === was.save.state) return;
    if (s.save.state === "offline") announce(t(diskFull(s.save) ? "spoken.diskFull" : "spoken.offline"));
    else if (was.save.state === "offline" && s.save.state === "saved") announce(t("spoken.savedAgain"));
  });
}
