import type { FileSnapshot, Snapshot } from "@/topology";
import { beforeKept, foldSnapshots, type Kept } from "./fold";
import type { Show } from "./place";

export type ConfigItem = Snapshot & { kind: "config" };
export type FileItem = FileSnapshot & { kind: "file" };
/** What was kept of a gateway: a config, or a workspace file. */
export type Item = ConfigItem | FileItem;

/** A line of the timeline: configs that were the same, a file, or files that changed together. */
export type Line =
  | { kind: "config"; key: string; at: string; kept: Kept }
  | { kind: "files"; key: string; at: string; files: FileItem[] };

/** Files that were kept for the same reason within this time are one line. */
const together = 2 * 60_000,
  few = 4;

export const itemsOf = (snapshots: readonly Snapshot[], files: readonly FileSnapshot[], show: Show): Item[] =>
  [
    ...(show === "files" ? [] : snapshots.map((s): Item => ({ kind: "config", ...s }))),
    ...(show === "config" ? [] : files.map((f): Item => ({ kind: "file", ...f }))),
  ].sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : a.id < b.id ? 1 : -1));

const configs = (all: readonly Item[]) => all.filter((x) => x.kind === "config");

/** The lines of the timeline, newest first. At least four files that changed together are folded into one. */
export function linesOf(all: readonly Item[]): Line[] {
  const lines: Line[] = foldSnapshots(configs(all)).map((kept) => ({
    kind: "config",
    key: kept.key,
    at: kept.snapshots[0].at,
    kept,
  }));
  const groups: FileItem[][] = [];
  for (const f of all) {
    if (f.kind !== "file") continue;
    const last = groups.at(-1)?.[0];
    if (last?.cause === f.cause && last.teamId === f.teamId && Date.parse(last.at) - Date.parse(f.at) <= together)
      groups.at(-1)?.push(f);
    else groups.push([f]);
  }
  for (const g of groups.flatMap((group) => (group.length < few ? group.map((f) => [f]) : [group])))
    if (g[0]) lines.push({ kind: "files", key: g[0].id, at: g[0].at, files: g });
  return lines.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
}

/** What an item is compared with when the person chose nothing: the config or the same file before. */
export const beforeItem = (all: readonly Item[], b: Item): string | undefined =>
  b.kind === "file" ? b.before?.id : beforeKept(configs(all), b.id);
