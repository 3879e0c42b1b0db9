import { afterEach, expect, it } from "vitest";
import { useTeam } from "./team";
import { redo, stopAskingReach, undo, useReach } from "./reach";

const before = useTeam.getState();
afterEach(() => {
  useTeam.setState(before, true);
  stopAskingReach();
});

const step = { gateway: "g", snapshot: "s" } as unknown as NonNullable<
  ReturnType<typeof useTeam.getState>["undoApply"]
>;

it("APP-5 an undo or redo that asks first has found a step to undo or redo", async () => {
  useTeam.setState({ undoApply: step, redoApply: step, busy: undefined, save: { ...before.save, state: "saved" } });
  expect(await undo()).toBe(true);
  expect(useReach.getState().asked).toEqual({ what: "undo", step });
  expect(await redo()).toBe(true);
  expect(useReach.getState().asked).toEqual({ what: "redo", step });
});

it("APP-5 without a step to undo, nothing is asked", () => {
  useTeam.setState({
    undoApply: undefined,
    redoApply: undefined,
    canUndo: false,
    canRedo: false,
    busy: undefined,
    save: { ...before.save, state: "saved" },
  });
  expect([undo(), redo(), useReach.getState().asked]).toEqual([undefined, undefined, undefined]);
});

it("APP-5 a redo of an apply asks also while something is being saved", async () => {
  const flush = () => {
    useTeam.setState((s) => ({ save: { ...s.save, state: "saved" } }));
    return Promise.resolve(true);
  };
  useTeam.setState({
    redoApply: step,
    busy: undefined,
    canRedo: true,
    flush,
    save: { ...before.save, state: "saving" },
  });
  expect(await redo()).toBe(true);
  expect(useReach.getState().asked).toEqual({ what: "redo", step });
});
