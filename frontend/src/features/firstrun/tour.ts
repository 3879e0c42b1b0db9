import { create } from "zustand";
import { attempt } from "@/stores/faults";
import { useHub } from "@/stores/hub";
import { changeSettings } from "@/stores/settings";
import { useUi } from "@/stores/ui";
import { nothing } from "@/topology";

/** The stops of the tour, and what each speaks of on the canvas. The last of a list that is there counts. */
export const stops = [
  { id: "add", at: ['.float[role="toolbar"]'] },
  { id: "connect", at: [".react-flow__node:has(.react-flow__handle)"] },
  { id: "review", at: [".changebar"] },
  { id: "apply", at: [".head .chip"] },
  { id: "undo", at: ['[data-tour="undo"]'] },
  { id: "chat", at: ['[data-screen="sessions"]'] },
] as const;
export type Stop = (typeof stops)[number];

export const targetOf = (stop: Stop): Element | null =>
  stop.at.map((s) => document.querySelector(s)).find((e) => e !== null) ?? null;

/** Whether the tour is being shown, and where it stands. Where it was left is remembered by the hub. */
export const useTour = create<{ at?: number }>()(() => ({}));

const remember = (tour: string) => void attempt("settings", () => changeSettings({ tour }));

/** Starts the tour, where it was left if it was. */
export function startTour(): void {
  const left = stops.findIndex((s) => s.id === useHub.getState().settings.tour);
  const ui = useUi.getState();
  ui.go("canvas");
  ui.choose(nothing);
  ui.setPanel("canvas.side", { folded: false });
  goTo(Math.max(0, left));
}

export function goTo(at: number): void {
  const stop = stops[at];
  if (!stop) {
    useTour.setState({ at: undefined });
    remember("done");
    return;
  }
  useTour.setState({ at });
  remember(stop.id);
}

/** Ends the tour for now. It resumes at the same stop. */
export const leaveTour = () => useTour.setState({ at: undefined });

/** Ends the tour for good. It starts over only on request. */
export function skipTour(): void {
  useTour.setState({ at: undefined });
  remember("skipped");
}
