import { create } from "zustand";
import type { LinkState } from "../api/socket";
import { followEvents } from "../api/stream";
import type { Notify } from "../topology";
import { applyNotify, emptyPicture, type Picture } from "./apply";

export type HubState = Picture & {
  link: LinkState;
  /** When the link was lost, for the banner. */
  lostAt?: number;
};

export const useHub = create<HubState>()(() => ({ ...emptyPicture, link: "connecting" }));

type Listener = { notify?: (n: Notify) => void; back?: () => void };
const listeners = new Set<Listener>();

/** For stores that act on what the hub says (the team reloads, the queue goes on). */
export function onHub(l: Listener): () => void {
  listeners.add(l);
  return () => listeners.delete(l);
}

export function takeNotify(n: Notify): void {
  useHub.setState((s) => applyNotify(s, n));
  for (const l of listeners) alone(() => l.notify?.(n));
}

/** Runs one listener so that its fault reaches no other; the fault itself is reported as any that nobody caught. */
function alone(run: () => void): void {
  try {
    run();
  } catch (e) {
    reportError(e);
  }
}

let running: ReturnType<typeof followEvents> | undefined;

/** Starts following the hub. Called once, by the app. */
export function startHub(): () => void {
  running ??= followEvents({
    onNotify: takeNotify,
    onLink: (link) => {
      useHub.setState((s) => ({ link, lostAt: link === "lost" ? (s.lostAt ?? Date.now()) : undefined }));
      if (link === "open") for (const l of listeners) alone(() => l.back?.());
    },
  });
  return () => {
    running?.stop();
    running = undefined;
  };
}

export const retryLink = () => running?.retryNow();
