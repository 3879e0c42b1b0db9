import type { ComponentType } from "react";
import { allWords } from "@/i18n";
import { useTeam } from "@/stores/team";
import { fetched } from "@/stores/fetched";
import { useHub } from "@/stores/hub";
import { useUi } from "@/stores/ui";

/** A part of the page that comes after the canvas, with its words. */
export const later = <P extends object>(get: () => Promise<ComponentType<P>>) =>
  fetched(() => Promise.all([get(), allWords()]).then(([part]) => part));

/** True once the team is painted, or there is none. The page fetches the rest only then. */
export function useLater(): boolean {
  const painted = useUi((s) => s.painted || s.screen !== "canvas");
  const settled = useTeam((s) => s.status !== "none" && s.status !== "loading" && s.status !== "ready"),
    nothing = useHub((s) => s.known && !s.teams.length);
  return painted || settled || nothing;
}
