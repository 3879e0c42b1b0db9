import {
  Download,
  Eraser,
  FilePlus2,
  GitMerge,
  Pencil,
  RotateCcw,
  Undo2,
  Upload,
  Workflow,
  type LucideIcon,
} from "lucide-react";
import type { TFunction } from "i18next";
import { countsText } from "@/i18n/counts";
import { formatTime } from "@/i18n/format";
import { stepText } from "@/i18n/step";
import type { Cause, Snapshot, Version } from "@/topology";
import { newest, oldest, type Entry } from "./fold";

export const causeIcons: Record<Cause, LucideIcon> = {
  create: FilePlus2,
  edit: Pencil,
  import: Download,
  apply: Upload,
  restore: Undo2,
  layout: Workflow,
  merge: GitMerge,
  discard: Eraser,
  rollback: RotateCcw,
};

export const authorOf = (t: TFunction, v: Version) => v.author || t("common.you");

/** What a version is: the name a person gave it, or what was done. */
export const versionTitle = (t: TFunction, v: Version) => v.name || stepText(t, stepOf(v));

/** Going back at a gateway reads what it holds then; the person went back. */
const stepOf = (v: Version) => (v.cause === "rollback" ? v.label.replace(/^seen\|/, "rollback|") : v.label);

/** `unsent`: how many changes of the team wait to be applied, told on the line of the last edits. */
export function entryTitle(t: TFunction, e: Entry, unsent = 0): string {
  const v = newest(e);
  if (v.current && unsent > 0 && !v.name && v.cause === "edit") return t("history.notApplied", { count: unsent });
  return e.versions.length > 1 ? t("history.edited", { count: e.versions.length }) : versionTitle(t, v);
}

export function entryCaption(t: TFunction, e: Entry, unsent = 0): string {
  const v = newest(e),
    who = authorOf(t, v);
  if (e.versions.length > 1) {
    const from = formatTime(oldest(e).at),
      to = formatTime(v.at),
      span = from === to ? to : t("history.span", { from, to });
    return entryTitle(t, e, unsent) === t("history.edited", { count: e.versions.length })
      ? join(t, who, span)
      : join(t, who, t("history.edited", { count: e.versions.length }));
  }
  return versionCaption(t, v, entryTitle(t, e, unsent));
}

export function versionCaption(t: TFunction, v: Version, title = versionTitle(t, v)): string {
  const what = stepText(t, stepOf(v));
  const size = [t("counts.agents", { count: v.agents }), t("counts.connections", { count: v.connections })].join(
    t("list.comma"),
  );
  return join(
    t,
    authorOf(t, v),
    what === title ? (v.cause === "create" || !v.parentId ? size : countsText(t, v)) : what,
  );
}

/** Why a snapshot was saved. */
/** The team that a snapshot has, or that was applied after it. */
export const snapshotTeam = (t: TFunction, s: Snapshot, name: string | undefined): string | undefined =>
  s.cause === "before_apply" && name
    ? t("history.beforeTeam", { name })
    : s.cause === "before_rollback"
      ? undefined
      : name;

export const snapshotTitle = (t: TFunction, s: Snapshot) => t(`history.cause.${s.cause}`, { defaultValue: s.cause });

const join = (t: TFunction, ...parts: string[]) => parts.filter(Boolean).join(t("history.dot"));
