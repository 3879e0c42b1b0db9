// @vitest-environment happy-dom
import { act, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import { usePair, type Pair, type PairOf } from "./usePair";

type Item = { id: string };
const items = (...ids: string[]): Item[] => ids.map((id) => ({ id }));
const newest: Omit<PairOf<Item>, "ask"> = {
  now: (all) => all[0],
  before: (all, b) => all[all.indexOf(b) + 1]?.id,
};

/** What is compared, for a list; `ask` is followed at once, as by a store. */
function pairOf(of: Omit<PairOf<Item>, "ask">) {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  let asked: string | undefined, all: Item[], pair: Pair<Item>;
  const rule: PairOf<Item> = { ...of, ask: (id) => (asked = id) };
  const root = createRoot(document.createElement("div"));
  function Shown(): ReactNode {
    pair = usePair(all, asked, rule);
    return null;
  }
  const show = () => act(() => root.render(<Shown />));
  return {
    list: (next: Item[]) => {
      all = next;
      show();
    },
    does: (run: (p: Pair<Item>) => void) => {
      act(() => run(pair));
      show();
    },
    is: () => `${pair.a ?? "nothing"} → ${pair.b?.id ?? "nothing"}${pair.pinned ? ", pinned" : ""}`,
  };
}

it("OC-4 APP-5 compares the newest with the one before it, and any two that a person chose", () => {
  const p = pairOf(newest);
  p.list([]);
  expect(p.is()).toBe("nothing → nothing");
  p.list(items("c", "b", "a"));
  expect(p.is()).toBe("b → c");
  p.does((x) => x.show("b"));
  expect(p.is()).toBe("a → b");
  p.does((x) => x.compareFrom("c"));
  expect(p.is()).toBe("c → b, pinned");
  p.does((x) => x.swap());
  expect(p.is()).toBe("b → c, pinned");
  p.does((x) => x.unpin());
  expect(p.is()).toBe("b → c");
  p.does((x) => x.compareFrom("c"));
  expect(p.is()).toBe("b → c");
});

it("OC-4 nothing is compared with a snapshot of another gateway", () => {
  const p = pairOf({ ...newest, whole: true });
  p.list(items("c", "b", "a"));
  p.does((x) => x.compareFrom("a"));
  expect(p.is()).toBe("a → c, pinned");
  p.list(items("z", "y"));
  expect(p.is()).toBe("y → z");
});

it("OC-4 two that don't fit aren't compared, and the chosen one is again once they do", () => {
  const p = pairOf({ ...newest, fits: (a, b) => a.id[0] === b.id[0] });
  p.list(items("f2", "c2", "f1", "c1"));
  p.does((x) => x.compareFrom("c1"));
  expect(p.is()).toBe("c2 → f2");
  p.does((x) => x.show("c2"));
  expect(p.is()).toBe("c1 → c2, pinned");
});
