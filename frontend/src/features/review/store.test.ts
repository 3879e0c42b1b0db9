import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Conflict, Preview } from "@/topology";
import { choose, loadPreview, lookAgain, useReview } from "./store";

const { asked } = vi.hoisted(() => {
  vi.stubGlobal("sessionStorage", { getItem: () => null, setItem: () => undefined, removeItem: () => undefined });
  return { asked: [] as { answer: (p: Preview) => void }[] };
});
vi.mock("@/stores/applies", () => ({
  applyActions: {
    preview: () =>
      new Promise<Preview>((answer) => {
        asked.push({ answer });
      }),
  },
}));
vi.mock("@/stores/team", () => ({
  useTeam: {
    getState: () => ({ id: "d", status: "ready", topology: { agents: [] }, flush: () => Promise.resolve(true) }),
  },
}));
vi.mock("@/stores/hub", () => ({ useHub: { getState: () => ({ applies: {} }) } }));
vi.mock("@/stores/ui", () => ({ useUi: { getState: () => ({ screen: "merge" }) } }));

const conflict = (id: string): Conflict => ({
  id,
  subject: "agent",
  agent: id,
  field: "name",
  reason: "both_changed",
  base: "A",
  mine: "B",
  theirs: "C",
});
const conflicts = [conflict("a"), conflict("b")];
const preview = {
  changes: [],
  deletions: [],
  trust: [],
  problems: [],
  merge: {
    conflicts,
    merged: { agents: [] },
    theirs: { agents: [] },
    base: { agents: [] },
    fromMine: [],
    fromTheirs: [],
  },
} as unknown as Preview;

describe("the preview after decisions (APP-3)", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("an answer about the decisions before the last one isn't taken for the last one's", async () => {
    const settle = () => vi.advanceTimersByTimeAsync(0);
    const first = loadPreview();
    await settle();
    asked[0]!.answer(preview);
    await first;
    choose(conflicts[0]!, "mine");
    await vi.advanceTimersByTimeAsync(200);
    choose(conflicts[1]!, "theirs");
    asked[1]!.answer({ ...preview, baseHash: "of one decision" });
    await settle();
    expect(useReview.getState().refreshing).toBe(true);
    expect(useReview.getState().preview?.baseHash).toBeUndefined();
    // Who asks at once has asked: nothing is asked again under the hand that presses Apply.
    const next = loadPreview();
    await settle();
    asked[2]!.answer({ ...preview, baseHash: "of both" });
    await next;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(asked).toHaveLength(3);
    expect(useReview.getState()).toMatchObject({ refreshing: false, preview: { baseHash: "of both" } });
  });

  it("a look after an apply whose answer was lost keeps what was decided", async () => {
    const settle = () => vi.advanceTimersByTimeAsync(0);
    const { made } = useReview.getState();
    expect(Object.keys(made)).toHaveLength(2);
    useReview.setState({ watching: "apply", leaveOut: ["agent:a"] });
    lookAgain();
    await settle();
    expect(useReview.getState()).toMatchObject({ made, leaveOut: ["agent:a"], watching: undefined, refreshing: true });
  });
});
