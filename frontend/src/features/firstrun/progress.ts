import { useTeam } from "@/stores/team";
import { attempt } from "@/stores/faults";
import { useHub } from "@/stores/hub";
import { changeSettings, useSettings } from "@/stores/settings";
import { useUi } from "@/stores/ui";
import { nothing, type Apply, type Change } from "@/topology";

type Part = "drew" | "applied";
const parts: readonly Part[] = ["drew", "applied"];

/** What the person has really done. The hub remembers it, because changes vanish from the list once they are applied. */
export function useProgress(): Record<Part, boolean> {
  const tried = useSettings().tried ?? [];
  return { drew: tried.includes("drew"), applied: tried.includes("applied") };
}

export const drewCommand = (changes: readonly Change[]) =>
  changes.some((c) => c.op === "added" && c.subject === "connection" && c.kind === "command");
export const hasApplied = (applies: Iterable<Apply>) =>
  [...applies].some((a) => a.kind === "apply" && a.state === "done" && a.sent > 0);

/** Ticks steps off when they have been done, wherever the person is. */
export function watchProgress(): () => void {
  const look = () => {
    const { known, settings, applies } = useHub.getState();
    if (!known) return;
    const had = settings.tried ?? [];
    const now: Record<Part, boolean> = {
      drew: drewCommand(useTeam.getState().changes),
      applied: hasApplied(Object.values(applies)),
    };
    const fresh = parts.filter((p) => now[p] && !had.includes(p));
    if (fresh.length) void attempt("settings", () => changeSettings({ tried: [...had, ...fresh] }));
  };
  look();
  const offs = [
    useTeam.subscribe((s, before) => {
      if (s.changes !== before.changes) look();
    }),
    useHub.subscribe((s, before) => {
      if (s.applies !== before.applies || s.known !== before.known) look();
    }),
  ];
  return () => {
    for (const off of offs) off();
  };
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

/** Whether the guide is to be seen. */
export const useGuide = () => !useSettings().onboardingDone;
