import type { StoreApi, UseBoundStore } from "zustand";
import type { TeamSummary, Gateway } from "../topology";
import { useTeam, type TeamStore } from "./team";
import { onHub } from "./hub";
import { endTyping, endWholeWords } from "./typing";

type Inner = TeamStore & {
  _missed: (head: string) => void;
  _pending: () => boolean;
  _unsaved: () => boolean;
  _head: () => string;
  _farewell: () => void;
};
const inner = (store: UseBoundStore<StoreApi<TeamStore>>) => store.getState() as Inner;

/** A summary arrived: read the team again when it moved on without us. */
export function takeSummary(store: UseBoundStore<StoreApi<TeamStore>>, d: TeamSummary): void {
  const s = inner(store);
  if (s.id !== d.id || s.status !== "ready") return;
  if (d.head === s._head() && d.updatedAt === s.updatedAt) return;
  if (s._pending() || s.busy) s._missed(d.head);
  else void s.reload();
}

/** Reloads the open team when its gateway sends new rules: earlier problems may no longer apply. */
export function rulesFollower(store: UseBoundStore<StoreApi<TeamStore>>): (gateways: Gateway[]) => void {
  const told = new Map<string, string | undefined>();
  return (gateways) => {
    const s = inner(store);
    for (const { name, rulesAt } of gateways) {
      const changed = told.has(name) && told.get(name) !== rulesAt;
      told.set(name, rulesAt);
      const saves = s._pending() || s.busy; // a save returns the problems anyway
      if (changed && name === s.gateway && s.status === "ready" && !saves) void s.reload();
    }
  };
}

/** Unsaved edits go out whenever the page may be about to vanish. */
export function followTeam(): () => void {
  const takeRules = rulesFollower(useTeam);
  const off = onHub({
    notify: (n) => {
      const { id, status } = useTeam.getState();
      if (n.gone?.includes(id)) {
        endTyping(); // a name that is only half typed is part of the team that can be saved
        useTeam.setState({ status: "gone" });
      }
      const d = n.teams?.find((x) => x.id === id);
      if (d) takeSummary(useTeam, d);
      // A backup without it may be here now.
      else if (n.reset && status === "ready") void useTeam.getState().reload();
      if (n.gateways) takeRules(n.gateways);
    },
    back: () => {
      void useTeam.getState().flush();
      if (useTeam.getState().status === "failed") void useTeam.getState().open(useTeam.getState().id);
    },
  });
  const flush = () => void useTeam.getState().flush();
  const hidden = () => {
    if (document.visibilityState === "hidden") flush();
  };
  const unload = (e: BeforeUnloadEvent) => {
    endWholeWords(); // a name that wasn't confirmed yet is saved with the rest
    const s = inner(useTeam);
    if (!s._unsaved()) return;
    s._farewell();
    e.preventDefault();
  };
  addEventListener("blur", flush);
  document.addEventListener("visibilitychange", hidden);
  addEventListener("beforeunload", unload);
  return () => {
    off();
    removeEventListener("blur", flush);
    document.removeEventListener("visibilitychange", hidden);
    removeEventListener("beforeunload", unload);
  };
}
