import { create } from "zustand";
import { persist } from "zustand/middleware";
import type { Settings } from "../topology";
import { attempt } from "./faults";
import { useHub } from "./hub";
import { changeSettings, inWindow } from "./settings";

export type Look = Pick<Settings, "language" | "theme">;

/** What the person chose for this browser. Where they chose nothing, the hub's settings count. */
export const useOwnLook = create<Partial<Look>>()(persist((): Partial<Look> => ({}), { name: "agentflow.look" }));

const merged = (settings: Look, own: Partial<Look>): Look => ({
  language: own.language ?? settings.language,
  theme: own.theme ?? settings.theme,
});

export const look = (): Look => merged(useHub.getState().settings, useOwnLook.getState());

export function useLook(): Look {
  const own = useOwnLook(),
    settings = useHub((s) => s.settings);
  return merged(settings, own);
}

/** AgentFlow's own window has another address at each start, so its choice is kept by the hub. */
export const ownLook = () => !inWindow();

export function changeLook(patch: Partial<Look>): void {
  if (ownLook()) useOwnLook.setState(patch);
  else void attempt("settings", () => changeSettings(patch));
}
