import type { TFunction } from "i18next";
import type { Change } from "../topology";

/** What changed on the canvas alone: groups and locks; undefined for everything else. */
export function canvasWords(t: TFunction, c: Change): string | undefined {
  if (c.field === "locked") return t(c.after ? "group.change.locked" : "group.change.unlocked");
  if (c.subject === "note" && c.op === "moved" && c.field) return t("review.moved");
  if (c.subject !== "group" || c.agent || c.field === "order") return undefined;
  if (!c.field) return t(`group.change.${c.op === "added" ? "added" : "removed"}`);
  if (c.field === "name")
    return t("group.change.renamed", {
      from: (c.before as string | undefined) || t("group.unnamed"),
      to: (c.after as string | undefined) || t("group.unnamed"),
    });
  if (c.field === "collapsed") return t(c.after ? "group.change.folded" : "group.change.unfolded");
  return t(
    c.field === "color" ? "group.change.colored" : c.field === "parent" ? "group.change.nested" : "group.change.other",
  );
}
