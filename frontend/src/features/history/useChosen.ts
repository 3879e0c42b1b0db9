import { useMemo, useState } from "react";
import { create } from "zustand";
import { keepRoute } from "@/stores/routes";
import { useUi } from "@/stores/ui";
import type { Version } from "@/topology";
import { beforeEntry, foldVersions, newest, type Entry } from "./fold";

export type Chosen = {
  /** The version that is looked at, and what it is compared with. */
  b?: Version;
  a?: string;
  aVersion?: Version;
  /** A was chosen by the person; else it is the version before B. */
  pinned: boolean;
  /** The person has chosen something: on a phone the picture takes the list's place. */
  opened: boolean;
  /** `alone`: only the newest of the folded versions. */
  show: (e: Entry, alone?: boolean) => void;
  compareFrom: (id: string) => void;
  unpin: () => void;
  swap: () => void;
  close: () => void;
};

const useAsked = create<{ version?: string }>()(() => ({}));

/** Opens the history on one version. */
export function showVersion(version: string): void {
  useAsked.setState({ version });
  useUi.getState().go("history");
}

/** Keeps the version that is looked at in the address. */
export const followVersion = () =>
  keepRoute("history", { read: useAsked.getState, show: (p) => useAsked.setState(p), follow: useAsked.subscribe });

/** Which two versions are compared. At first what stands now, with the version before it. */
export function useChosen(versions: readonly Version[]): Chosen {
  const [last, setLast] = useState<{ b: string; alone?: boolean }>();
  const [pin, setPin] = useState<string>();
  const asked = useAsked((s) => s.version);
  const shown = last?.b === asked ? last : undefined;
  return useMemo(() => {
    const setShown = (to?: { b: string; alone?: boolean }) => {
      setLast(to);
      useAsked.setState({ version: to?.b });
    };
    const now = versions.find((v) => v.current) ?? versions[0];
    const b = versions.find((v) => v.id === (shown?.b ?? asked)) ?? now;
    const entries = foldVersions(versions);
    const entry = shown?.alone ? undefined : entries.find((e) => newest(e).id === b?.id);
    const before = b && beforeEntry(versions, entry ?? { key: b.id, versions: [b] });
    const pinned = !!pin && pin !== b?.id;
    const a = pinned ? pin : before;
    const byId = (id?: string) => versions.find((v) => v.id === id);
    return {
      b,
      a,
      aVersion: byId(a),
      pinned,
      opened: !!shown || (!!asked && b?.id === asked),
      show: (e, alone) => setShown({ b: newest(e).id, alone }),
      compareFrom: setPin,
      unpin: () => setPin(undefined),
      swap: () => {
        if (pinned && pin && b) {
          setPin(b.id);
          setShown({ b: pin });
        }
      },
      close: () => setShown(undefined),
    };
  }, [versions, shown, pin, asked]);
}
