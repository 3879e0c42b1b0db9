import { create } from "zustand";
import { persist } from "zustand/middleware";
import { useDrawing } from "@/stores/drawing";
import { useHub } from "@/stores/hub";
import { changeSettings } from "@/stores/settings";
import { useUi } from "@/stores/ui";
import { nothing, type Apply, type Change } from "@/topology";

type Done = { drew: boolean; applied: boolean };
/** What the person has really done; remembered, because changes vanish from the list once they are applied. */
export const useProgress = create<Done>()(persist((): Done => ({ drew: false, applied: false }), { name: "agentflow.firstrun" }));

export const drewCommand = (changes: readonly Change[]) => changes.some((c) => c.op === "added" && c.subject === "connection" && c.kind === "command");
export const hasApplied = (applies: Iterable<Apply>) => [...applies].some((a) => a.kind === "apply" && a.state === "done" && a.sent > 0);

/** Ticks steps off when they have been done, wherever the person is. */
export function watchProgress(): () => void {
  const look = () => {
    const had = useProgress.getState();
    const drew = had.drew || drewCommand(useDrawing.getState().changes), applied = had.applied || hasApplied(Object.values(useHub.getState().applies));
    if (drew !== had.drew || applied !== had.applied) useProgress.setState({ drew, applied });
  };
  look();
  const offs = [useDrawing.subscribe((s, before) => { if (s.changes !== before.changes) look(); }), useHub.subscribe((s, before) => { if (s.applies !== before.applies) look(); })];
  return () => { for (const off of offs) off(); };
}

/** Brings the guide back, with what is done already ticked off. */
export async function showGuide(): Promise<void> {
  const ui = useUi.getState();
  ui.go("canvas");
  ui.choose(nothing);
  ui.setPanel("canvas.side", { folded: false });
  await changeSettings({ onboardingDone: false });
}

export const closeGuide = () => changeSettings({ onboardingDone: true });
