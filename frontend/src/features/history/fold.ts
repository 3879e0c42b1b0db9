import type { Snapshot, Version } from "@/topology";

/** A line of the history: one version, or edits that followed each other. Newest first. */
export type Entry = { key: string; versions: [Version, ...Version[]] };
export const newest = (e: Entry) => e.versions[0];
export const oldest = (e: Entry) => e.versions[e.versions.length - 1] ?? e.versions[0];

const dayOf = (at: string) => {
  const d = new Date(at);
  return `${d.getFullYear()}-${d.getMonth()}-${d.getDate()}`;
};
const foldable = (v: Version) => (v.cause === "edit" || v.cause === "layout") && !v.name;

/**
 * Folds consecutive edits by one person on one day into one line. The version that is
 * shown now starts a separate line, so that undone edits don't hide it.
 */
export function foldVersions(versions: readonly Version[]): Entry[] {
  const entries: Entry[] = [];
  for (const v of versions) {
    const last = entries.at(-1),
      above = last && oldest(last);
    if (
      last &&
      above &&
      foldable(v) &&
      foldable(above) &&
      !v.current &&
      above.author === v.author &&
      dayOf(above.at) === dayOf(v.at)
    )
      last.versions.push(v);
    else entries.push({ key: v.id, versions: [v] });
  }
  return entries;
}

/** Whether team and gateway were the same then. */
export const inSync = (v: Version) => v.cause === "apply" || v.cause === "rollback" || v.cause === "import";

/**
 * What an entry is compared with when the person chose nothing: the version before it; for an
 * apply the last time that team and gateway were the same, so that one sees what was sent.
 */
export function beforeEntry(versions: readonly Version[], e: Entry): string | undefined {
  const v = newest(e);
  if (v.cause !== "apply") return oldest(e).parentId;
  return versions.slice(versions.findIndex((x) => x.id === v.id) + 1).find(inSync)?.id ?? v.parentId;
}

export type Day<T> = { key: string; at: string; items: T[] };

/** Lines under the days they happened on, in the person's own time. */
export function groupByDay<T>(items: readonly T[], at: (item: T) => string): Day<T>[] {
  const days: Day<T>[] = [];
  for (const item of items) {
    const key = dayOf(at(item)),
      last = days.at(-1);
    if (last?.key === key) last.items.push(item);
    else days.push({ key, at: at(item), items: [item] });
  }
  return days;
}

/** Which versions are listed; the hub chooses them, so that a long history is never read whole. */
export type Filter = "all" | "applied" | "named";

const beforeChange = new Set(["before_apply", "before_rollback"]);

export type Kept = { key: string; snapshots: [Snapshot, ...Snapshot[]] };

/**
 * Configs that were kept one after another though nothing had changed are one line. A change can replace only workspace
 * files, so the config before a change is the newest of its line.
 */
export function foldSnapshots(snapshots: readonly Snapshot[]): Kept[] {
  const lines: Kept[] = [];
  for (const s of snapshots) {
    const last = lines.at(-1);
    if (last && last.snapshots[0].hash === s.hash && !beforeChange.has(s.cause)) last.snapshots.push(s);
    else lines.push({ key: s.id, snapshots: [s] });
  }
  return lines;
}

/** The snapshot that one is compared with when the person chose nothing: the newest of the line before its own. */
export function beforeKept(snapshots: readonly Snapshot[], id: string): string | undefined {
  const lines = foldSnapshots(snapshots);
  const at = lines.findIndex((k) => k.snapshots.some((s) => s.id === id));
  return at < 0 ? undefined : lines[at + 1]?.snapshots[0].id;
}
