import { create } from "zustand";
import { talk } from "../api/talk";
import type { Gateway } from "../topology";
import { useGateways } from "./gateways";
import { sessionPlace } from "./sessionNews";

export type SessionAct = NonNullable<Gateway["sessionActs"]>[number];
const none: readonly SessionAct[] = [];

/** What a gateway offers to do with a session, while it is connected. */
export const useSessionActs = (gateway: string): readonly SessionAct[] =>
  useGateways().find((g) => g.name === gateway && g.state === "connected")?.sessionActs ?? none;

/** What is being done with each session, by its place. */
export const useActing = create<Readonly<Record<string, SessionAct | undefined>>>()(() => ({}));

async function during<T>(gateway: string, key: string, act: SessionAct, work: () => Promise<T>): Promise<T> {
  const place = sessionPlace(gateway, key);
  useActing.setState({ [place]: act });
  try {
    return await work();
  } finally {
    useActing.setState({ [place]: undefined });
  }
}

/** What is done with a session as a whole. All reject with ApiError. */
export const sessionActs = {
  reset: (gateway: string, key: string) => during(gateway, key, "reset", () => talk.reset(gateway, key)),
  compact: (gateway: string, key: string) => during(gateway, key, "compact", () => talk.compact(gateway, key)),
  /** Gives the key of the copy. */
  fork: (gateway: string, key: string) =>
    during(gateway, key, "fork", () => talk.fork(gateway, key)).then((r) => r.sessionKey),
};
