import type { StoreApi, UseBoundStore } from "zustand";
import type { DrawingSummary, Gateway } from "../topology";
import { useDrawing, type DrawingStore } from "./drawing";
import { onHub } from "./hub";

type Inner = DrawingStore & {
  _missed: (head: string) => void;
  _pending: () => boolean;
  _head: () => string;
  _farewell: () => void;
};
const inner = (store: UseBoundStore<StoreApi<DrawingStore>>) => store.getState() as Inner;

/** A summary arrived: read the drawing again when it moved on without us. */
export function takeSummary(store: UseBoundStore<StoreApi<DrawingStore>>, d: DrawingSummary): void {
  const s = inner(store);
  if (s.id !== d.id || s.status !== "ready") return;
  if (d.head === s._head() && d.updatedAt === s.updatedAt) return;
  if (s._pending() || s.busy) s._missed(d.head);
  else void s.reload();
}

/** Follows when gateways tell anew what they permit: what was found wrong in the open drawing before may be right then. */
export function rulesFollower(store: UseBoundStore<StoreApi<DrawingStore>>): (gateways: Gateway[]) => void {
  const told = new Map<string, string | undefined>();
  return (gateways) => {
    const s = inner(store);
    for (const { name, rulesAt } of gateways) {
      const anew = told.has(name) && told.get(name) !== rulesAt;
      told.set(name, rulesAt);
      if (anew && name === s.gateway && s.status === "ready" && !s._pending() && !s.busy) void s.reload(); // a save brings the findings along anyway
    }
  };
}

/** Unsaved edits go out whenever the page may be about to vanish. */
export function followDrawing(): () => void {
  const takeRules = rulesFollower(useDrawing);
  const off = onHub({
    notify: (n) => {
      const { id, status } = useDrawing.getState();
      if (n.gone?.includes(id)) useDrawing.setState({ status: "gone" });
      const d = n.teams?.find((x) => x.id === id);
      if (d) takeSummary(useDrawing, d);
      // A backup without it may be here now.
      else if (n.reset && status === "ready") void useDrawing.getState().reload();
      if (n.gateways) takeRules(n.gateways);
    },
    back: () => {
      void useDrawing.getState().flush();
      if (useDrawing.getState().status === "failed") void useDrawing.getState().open(useDrawing.getState().id);
    },
  });
  const flush = () => void useDrawing.getState().flush();
  const hidden = () => {
    if (document.visibilityState === "hidden") flush();
  };
  const unload = (e: BeforeUnloadEvent) => {
    const s = inner(useDrawing);
    if (!s._pending()) return;
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
