import { create } from "zustand";
import { followOtherTabs, isSignedOut, keepPageKey, onSignedOut, pageKey, setSignedOut } from "../api/login";
import * as hub from "../api/signIn";
import { windowApp } from "../api/endpoint";

type Login = {
  signedOut: boolean;
  /** It was signed in, and the sign-in was ended elsewhere or has expired. */ ended: boolean;
};

/** Whether this browser has to sign in before it shows anything. */
export const useLogin = create<Login>()(() => ({ signedOut: false, ended: false }));

/** Follows whether this browser is signed in, for as long as the page lives. */
export function startLogin(): () => void {
  if (windowApp()) return () => undefined;
  if (!pageKey() && import.meta.env.MODE !== "sample") setSignedOut(true);
  const take = (signedOut: boolean) => useLogin.setState({ signedOut, ended: signedOut && !!pageKey() });
  const off = onSignedOut(take);
  take(isSignedOut());
  const stop = followOtherTabs(() => location.reload());
  return () => {
    off();
    stop();
  };
}

/** Signs in and reloads the page, so that no earlier state is left. */
export async function signIn(token: string): Promise<void> {
  keepPageKey((await hub.signIn(token)).pageKey);
  location.reload();
}

export async function signOut(): Promise<void> {
  await hub.signOut();
  void import("./push").then((p) => p.forgetPush()).catch(() => undefined);
  keepPageKey("");
  setSignedOut(true);
  useLogin.setState({ ended: false });
}

const onThisComputer = ["localhost", "127.0.0.1", "[::1]"];

/** The command that prints a one-time link, run on the hub's computer. Where this browser is on it, its address names the hub. */
export const loginCommand = ({ hostname, port, origin }: Pick<Location, "hostname" | "port" | "origin">) =>
  !port || port === "18800" || !onThisComputer.includes(hostname)
    ? "agentflow login"
    : `agentflow login --url ${origin}`;
