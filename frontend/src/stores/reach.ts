import { create } from "zustand";
import type { AppliedStep } from "../topology";
import { useTeam } from "./team";
import { attempt } from "./faults";

export type Asked = {
  what: "undo" | "redo" | "rollback";
  step: AppliedStep;
  /** ID of the team that a rollback takes along. */
  follows?: string;
};

/**
 * A step that reached a gateway: the person says whether it is undone, or redone, there as well. Or a rollback that was
 * interrupted, which concerns the gateway alone.
 */
export const useReach = create<{ asked?: Asked }>()(() => ({}));
export const stopAskingReach = () => useReach.setState({ asked: undefined });

/** Asks whether a step is undone at its gateway, too, and shows what that would change there. */
export const askUndo = (step: AppliedStep) => useReach.setState({ asked: { what: "undo", step } });

/** Asks whether an interrupted rollback is done again, and shows what that would change. */
export const askRollback = (step: AppliedStep, follows?: string) =>
  useReach.setState({ asked: { what: "rollback", step, follows } });

const still = () => {
  const s = useTeam.getState();
  return s.save.state === "saved" && !s.busy;
};

/** Asks for the frame before there is anything new to see, so that it is due when there is: a web view waits for the screen from when it is asked. */
function travel(what: "undo" | "redo", work: () => Promise<void>): Promise<boolean> {
  requestAnimationFrame(() => undefined);
  return attempt(what, work);
}

/**
 * Undoes the last step, or asks first if it reached a gateway. Returns undefined if there is nothing to undo. While a
 * redo is under way, it counts for the step after that.
 */
export function undo(): Promise<boolean> | undefined {
  const s = useTeam.getState();
  if (s.undoApply && still()) {
    askUndo(s.undoApply);
    return Promise.resolve(true);
  }
  return s.canUndo || s.save.state !== "saved" || s.busy === "redo" ? travel("undo", s.undo) : undefined;
}

/** Redoes the step that was undone last, or asks first if it reached a gateway, once what is being saved is saved. */
export function redo(): Promise<boolean> | undefined {
  const s = useTeam.getState();
  if (s.redoApply && s.busy !== "undo" && s.busy !== "redo") {
    if (!still()) return attempt("redo", askRedo);
    useReach.setState({ asked: { what: "redo", step: s.redoApply } });
    return Promise.resolve(true);
  }
  return s.canRedo || s.busy === "undo" ? travel("redo", s.redo) : undefined;
}

async function askRedo(): Promise<void> {
  await useTeam.getState().flush();
  const { redoApply } = useTeam.getState();
  if (redoApply) useReach.setState({ asked: { what: "redo", step: redoApply } });
}
