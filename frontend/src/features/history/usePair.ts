import { useMemo, useState } from "react";

type Item = { id: string };

/** Two of a list, newest first, that are compared. */
export type Pair<T extends Item> = {
  /** What is looked at, and what it is compared with. */
  b?: T;
  a?: string;
  aItem?: T;
  /** A was chosen by the person; else it is the one before B. */
  pinned: boolean;
  /** The person has chosen something: on a phone the picture takes the list's place. */
  opened: boolean;
  /** `alone`: without those that are folded with it. */
  show: (id: string, alone?: boolean) => void;
  compareFrom: (id: string) => void;
  unpin: () => void;
  swap: () => void;
  close: () => void;
};

/** What is compared while the person has chosen nothing, and where the choice of B is kept. */
export type PairOf<T extends Item> = {
  now: (all: readonly T[]) => T | undefined;
  before: (all: readonly T[], b: T, alone: boolean) => string | undefined;
  ask: (id?: string) => void;
  /** Nothing is compared with what isn't in the list: it is another gateway's. */ whole?: boolean;
  /** Whether two can be compared. Default: any two. */ fits?: (a: T, b: T) => boolean;
};

/** Which two of a list are compared; `asked` is the chosen B. */
export function usePair<T extends Item>(all: readonly T[], asked: string | undefined, of: PairOf<T>): Pair<T> {
  const [last, setLast] = useState<{ b: string; alone?: boolean }>();
  const [pin, setPin] = useState<string>();
  const shown = last?.b === asked ? last : undefined;
  return useMemo(() => {
    const setShown = (to?: { b: string; alone?: boolean }) => {
      setLast(to);
      of.ask(to?.b);
    };
    const byId = (id?: string) => all.find((x) => x.id === id);
    const b = byId(shown?.b ?? asked) ?? of.now(all);
    const pinnedItem = byId(pin);
    const fits = !of.fits || !b || !pinnedItem || of.fits(pinnedItem, b);
    const pinned = !!pin && pin !== b?.id && fits && (!of.whole || !!pinnedItem);
    const a = pinned ? pin : b && of.before(all, b, !!shown?.alone);
    return {
      b,
      a,
      aItem: byId(a),
      pinned,
      opened: !!shown || (!!asked && b?.id === asked),
      show: (id, alone) => setShown({ b: id, alone }),
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
  }, [all, shown, pin, asked, of]);
}
