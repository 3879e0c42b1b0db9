import { create } from "zustand";
import { keepRoute } from "@/stores/routes";
import { useUi } from "@/stores/ui";
import type { Version } from "@/topology";
import { beforeEntry, foldVersions, newest } from "./fold";
import { useHistoryPlace } from "./place";
import { beforeItem, type Item } from "./timeline";
import { usePair, type Pair, type PairOf } from "./usePair";

export type Chosen = Pair<Version>;
export type ChosenSnapshot = Pair<Item>;

const useAsked = create<{ version?: string }>()(() => ({}));

/** Opens the history on one version. */
export function showVersion(version: string): void {
  useAsked.setState({ version });
  useUi.getState().go("history");
}

/** Keeps the version that is looked at in the address. */
export const followVersion = () =>
  keepRoute("history", { read: useAsked.getState, show: (p) => useAsked.setState(p), follow: useAsked.subscribe });

const ofVersions: PairOf<Version> = {
  now: (all) => all.find((v) => v.current) ?? all[0],
  before: (all, b, alone) => {
    const entry = alone ? undefined : foldVersions(all).find((e) => newest(e).id === b.id);
    return beforeEntry(all, entry ?? { key: b.id, versions: [b] });
  },
  ask: (version) => useAsked.setState({ version }),
};

/** Which two versions are compared. At first what stands now, with the version before it. */
export function useChosen(versions: readonly Version[]): Chosen {
  const asked = useAsked((s) => s.version);
  return usePair(versions, asked, ofVersions);
}

const ofSnapshots: PairOf<Item> = {
  now: (all) => all[0],
  before: beforeItem,
  fits: (a, b) => a.kind === b.kind,
  ask: (snapshot) => useHistoryPlace.setState({ snapshot }),
  whole: true,
};

/** Which two snapshots of a gateway are compared: configs, or files. At first the latest, with the one before it. */
export function useChosenSnapshot(snapshots: readonly Item[]): ChosenSnapshot {
  const asked = useHistoryPlace((s) => s.snapshot);
  return usePair(snapshots, asked, ofSnapshots);
}
