import {
  Download,
  Eraser,
  FilePlus2,
  GitMerge,
  Pencil,
  PencilLine,
  RotateCcw,
  TriangleAlert,
  Undo2,
  Upload,
  Workflow,
  type LucideIcon,
} from "lucide-react";
import type { TFunction } from "i18next";
import { countsText } from "@/i18n/counts";
import { formatBytes, formatNumber, formatTime } from "@/i18n/format";
import { stepText } from "@/i18n/step";
import { agentOn } from "@/stores/agentNames";
import type { Cause, FileSnapshot, Snapshot, Version } from "@/topology";
import { newest, oldest, type Entry } from "./fold";
import { lostWords } from "./lost";
import type { Item } from "./timeline";

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

const keptIcons: Record<string, LucideIcon> = {
  read: Download,
  before_apply: Upload,
  after_apply: Upload,
  before_rollback: RotateCcw,
  after_rollback: RotateCcw,
  rollback_interrupted: TriangleAlert,
  elsewhere: PencilLine,
};

/** The icon of a config or a file that was kept. */
export const keptIcon = (cause: string, lost = false): LucideIcon =>
  lost ? TriangleAlert : (keptIcons[cause] ?? Download);

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

/** The team that a snapshot has, or that was applied after it. */
export const snapshotTeam = (t: TFunction, s: Snapshot, name: string | undefined): string | undefined =>
  s.cause === "before_apply" && name
    ? t("history.beforeTeam", { name })
    : s.cause === "before_rollback"
      ? undefined
      : name;

/** Why a snapshot was saved. */
export const snapshotTitle = (t: TFunction, s: Snapshot) => t(`history.cause.${s.cause}`, { defaultValue: s.cause });

/** `times`: how often the same config was kept. */
export const configCaption = (t: TFunction, s: Snapshot, team: string | undefined, times: number): string =>
  join(
    t,
    s.losses?.length
      ? t("history.lostWhat", { lost: lostWords(t, s.losses) })
      : t("counts.agents", { count: s.agents }),
    snapshotTeam(t, s, team) ?? "",
    times > 1 ? t("history.times", { count: times }) : "",
  );

export const fileTitle = (t: TFunction, f: FileSnapshot): string =>
  t("history.fileOf", { file: f.name, agent: agentOn(f.gateway, f.agent) });

const signed = (n: number, text: (n: number) => string) =>
  n > 0 ? `+${text(n)}` : n < 0 ? `−${text(-n)}` : `±${text(0)}`;

/** How long a file is, or how much longer it became. */
function fileSize(t: TFunction, f: FileSnapshot): string {
  if (f.missing) return "";
  if (!f.before) return t("history.file.size", { bytes: formatBytes(f.size), tokens: formatNumber(f.tokens) });
  return t("history.file.change", {
    bytes: signed(f.size - f.before.size, formatBytes),
    tokens: signed(f.tokens - f.before.tokens, formatNumber),
  });
}

/** Who changed a file, and how much. `several`: it stands for others, too. */
export const fileCaption = (
  t: TFunction,
  f: FileSnapshot,
  { team, several }: { team?: string; several?: boolean } = {},
): string =>
  join(
    t,
    f.missing && f.cause === "elsewhere" && !several ? t("history.file.deleted") : t(`history.file.cause.${f.cause}`),
    team ? t("history.file.team", { name: team }) : "",
    several ? "" : fileSize(t, f),
  );

/** What an item of the timeline is. */
export const itemTitle = (t: TFunction, x: Item): string =>
  x.kind === "file" ? `${fileTitle(t, x)}${t("history.dot")}${fileCaption(t, x)}` : snapshotTitle(t, x);

const join = (t: TFunction, ...parts: string[]) => parts.filter(Boolean).join(t("history.dot"));
