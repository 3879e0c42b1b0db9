import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Conflict, Preview } from "@/topology";
import { rememberKept, sizeOfTeam } from "./first";
import { saveConfig } from "./saveConfig";
import { choose, chooseReplace, loadPreview, lookAgain, putAway, sendApply, useReview } from "./store";

const { asked, team, open } = vi.hoisted(() => {
  for (const name of ["sessionStorage", "localStorage"])
    vi.stubGlobal(name, { getItem: () => null, setItem: () => undefined, removeItem: () => undefined });
  return {
    asked: [] as { answer: (p: Preview) => void; replace?: boolean }[],
    team: { agents: [] as object[] },
    open: { id: "d" },
  };
});
vi.mock("@/stores/applies", () => ({
  applyActions: {
    preview: (_: string, { replace }: { replace?: boolean }) =>
      new Promise<Preview>((answer) => {
        asked.push({ answer, replace });
      }),
  },
}));
vi.mock("@/stores/team", () => ({
  useTeam: {
    getState: () => ({ id: open.id, status: "ready", topology: team, flush: () => Promise.resolve(true) }),
  },
}));
vi.mock("@/stores/hub", () => ({ useHub: { getState: () => ({ applies: {} }) } }));
vi.mock("./saveConfig", () => ({ saveConfig: vi.fn() }));
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

  it("OC-4 for a gateway that accepts no config, Apply saves the file and asks the gateway for nothing", async () => {
    const readOnly = { ...preview, sends: true, readOnly: "managed" } as Preview;
    useReview.setState({ preview: readOnly, sending: false, refreshing: false });
    await sendApply();
    expect(saveConfig).toHaveBeenCalledWith(readOnly);
    expect(useReview.getState()).toMatchObject({ sending: false, watching: undefined });
  });

  it("what was chosen for a team stays while another one is reviewed", async () => {
    const look = async (id: string, p: Preview) => {
      open.id = id;
      const n = asked.length,
        looked = loadPreview();
      await vi.advanceTimersByTimeAsync(0);
      asked[n]!.answer(p);
      await looked;
    };
    await look("one", preview);
    choose(conflicts[0]!, "mine");
    await vi.advanceTimersByTimeAsync(200);
    const made = useReview.getState().made;
    expect(Object.keys(made)).toEqual(["a"]);
    await look("two", preview);
    expect(useReview.getState()).toMatchObject({ team: "two", made: {}, leaveOut: [] });
    await look("one", preview);
    expect(useReview.getState()).toMatchObject({ team: "one", made });
    putAway();
    await look("two", preview);
    await look("one", preview);
    expect(useReview.getState().made).toEqual({});
    open.id = "d";
  });
});

describe("a team and a gateway that never met (APP-3)", () => {
  const first = (merge: object) =>
    ({
      ...preview,
      gateway: "local",
      merge: { ...preview.merge, conflicts: [], others: ["lead"], ...merge },
    }) as unknown as Preview;
  const settle = () => new Promise((r) => setTimeout(r));
  /** Answers what is asked next, and returns whether it was asked with replace. */
  const answer = async (p: Preview) => {
    await settle();
    const one = asked.shift();
    one?.answer(p);
    await settle();
    return one?.replace;
  };
  beforeEach(() => {
    asked.length = 0;
    rememberKept("d", "local", false);
    team.agents = [{ id: "mine" }];
    useReview.setState({
      team: "d",
      others: {},
      preview: undefined,
      replace: undefined,
      made: {},
      leaveOut: [],
      watching: undefined,
    });
  });

  it("the untouched example is replaced unless the person keeps it", async () => {
    const loaded = loadPreview();
    expect(await answer(first({ example: true }))).toBe(false);
    expect(await answer(first({ example: true, replace: true }))).toBe(true);
    await loaded;
    expect(useReview.getState().preview?.merge?.replace).toBe(true);
    chooseReplace(false);
    expect(await answer(first({ example: true }))).toBe(false);
    expect(asked).toHaveLength(0);
    expect(useReview.getState()).toMatchObject({ replace: false, refreshing: false, agreed: undefined });
  });

  it("agents kept once are kept in the next review, until the person chooses to replace them", async () => {
    useReview.setState({ preview: first({ example: true, replace: true }) });
    chooseReplace(false);
    await answer(first({ example: true }));
    putAway(); // the apply has ended
    let loaded = loadPreview();
    expect(await answer(first({ example: true }))).toBe(false);
    await loaded;
    expect(asked).toHaveLength(0);
    chooseReplace(true);
    await answer(first({ example: true, replace: true }));
    putAway();
    loaded = loadPreview();
    expect(await answer(first({ example: true }))).toBe(false);
    expect(await answer(first({ example: true, replace: true }))).toBe(true);
    await loaded;
  });

  it("the size of the team is that of the preview, kept or replaced", () => {
    const of = (...ids: string[]) => sizeOfTeam(first({ merged: { agents: ids.map((id) => ({ id })) } }));
    expect([of("mine", "lead"), of("mine"), of("lead")]).toEqual([1, 1, 0]);
  });

  it("a changed example is kept, and so is everything while the team is empty", async () => {
    for (const [agents, merge] of [
      [[{ id: "mine" }], {}],
      [[], { example: true }],
      [[{ id: "mine" }], { example: true, others: [] }],
    ] as const) {
      team.agents = [...agents];
      const loaded = loadPreview();
      expect(await answer(first(merge))).toBe(false);
      await loaded;
      expect(asked).toHaveLength(0);
      expect(useReview.getState().preview?.merge?.replace).toBeUndefined();
    }
  });
});
