import type { StoreApi, UseBoundStore } from "zustand";
import type { LinkState } from "../api/socket";
import type { Session, SessionMessage } from "../topology";
import type { ApiError } from "./faults";
import type { Broken } from "./sessionBroken";
import type { Part, Sent } from "./sessionSent";

/** A reply that is coming. Text is all of it so far. */
export type Run = { runId: string; text: string; phase?: string; since: number };

export type Chat = {
  status: "loading" | "ready" | "failed";
  error?: ApiError;
  messages: readonly SessionMessage[];
  /** There may be more before the first. */
  older: boolean;
  /** The gateway has more before the first, and does not give it. */
  cut?: boolean;
  busy: boolean;
  sent: readonly Sent[];
  run?: Run;
  /** Answers that broke off with the connection to the gateway. */ broken?: readonly Broken[];
  /** How the last run ended, where it did not end well. */
  ended?: { state: "aborted" | "error"; error?: string; cause?: SessionMessage["cause"]; part?: Part };
};

export type Sessions = {
  status: "loading" | "ready" | "failed";
  error?: ApiError;
  link: LinkState;
  list: readonly Session[];
  chats: Readonly<Record<string, Chat>>;
};

export type GatewayView = {
  use: UseBoundStore<StoreApi<Sessions>>;
  start: () => () => void;
  reload: () => void;
  /** Reads a session and keeps it current, until what it returns is called. */
  open: (key: string) => () => void;
  older: (key: string) => void;
  send: (key: string, text: string) => void;
  retry: (key: string, sent: string) => void;
  discard: (key: string, sent: string) => void;
  /** Removes what is shown of an answer that broke off. */
  forget: (key: string, runId: string) => void;
  stop: (key: string) => Promise<void>;
};
