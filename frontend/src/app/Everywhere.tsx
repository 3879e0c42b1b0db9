import { Suspense, useEffect } from "react";
import { FileDrop, SaveKeys, watchHanded } from "@/features/drawings";
import { watchProgress } from "@/features/firstrun";
import { editGateway } from "@/features/settings";
import { fetchRest } from "@/stores/fetched";
import { useUi } from "@/stores/ui";
import { Boundary, composing, inField, KeysAhead, mod, typedOn } from "@/ui";
import { later, useLater } from "./later";

const Palette = later(() => import("./Palette").then((m) => m.Palette));
const DrawingDialogs = later(() => import("@/features/drawings/DrawingDialogs").then((m) => m.DrawingDialogs));
const CheatSheet = later(() => import("@/features/settings/CheatSheet").then((m) => m.CheatSheet));
const ApplyNotices = later(() => import("@/features/review/ApplyNotices").then((m) => m.ApplyNotices));
const InboxNotices = later(() => import("@/features/inbox/InboxNotices").then((m) => m.InboxNotices));
const CollisionNotices = later(() => import("@/features/review/CollisionNotices").then((m) => m.CollisionNotices));
const Unread = later(() => import("./Unread").then((m) => m.Unread));
const TaskNotices = later(() => import("@/features/tasks/TaskNotices").then((m) => m.TaskNotices));
const ReachDialog = later(() => import("@/features/review/ReachDialog").then((m) => m.ReachDialog));

/** What belongs to no screen: the palette, the dialogs about drawings, what an apply has to say, and the guide's memory. */
export function Everywhere() {
  useEffect(watchProgress, []);
  useEffect(watchHanded, []);
  useEffect(watchHelpKey, []);
  const asked = useUi((s) => s.palette || s.cheatSheet);
  const rest = useLater() || asked;
  return (
    <>
      <FileDrop />
      <SaveKeys />
      {rest ? <Rest /> : <PaletteKey />}
    </>
  );
}

/** What comes once the first picture is painted. */
function Rest() {
  useEffect(fetchRest, []);
  return (
    <>
      <Boundary>
        <Suspense>
          <DrawingDialogs addGateway={() => editGateway()} />
        </Suspense>
      </Boundary>
      <Boundary>
        <Suspense fallback={<PaletteKey />}>
          <Palette />
        </Suspense>
      </Boundary>
      <Boundary>
        <Suspense>
          <CheatSheet />
        </Suspense>
      </Boundary>
      <Boundary>
        <Suspense>
          <ApplyNotices />
        </Suspense>
      </Boundary>
      <Boundary>
        <Suspense>
          <InboxNotices />
        </Suspense>
      </Boundary>
      <Boundary>
        <Suspense>
          <CollisionNotices />
        </Suspense>
      </Boundary>
      <Boundary>
        <Suspense>
          <ReachDialog />
        </Suspense>
      </Boundary>
      <Boundary>
        <Suspense>
          <Unread />
        </Suspense>
      </Boundary>
      <Boundary>
        <Suspense>
          <TaskNotices />
        </Suspense>
      </Boundary>
    </>
  );
}

/** ? shows all keys, wherever nothing is being written. */
function watchHelpKey(): () => void {
  const onKey = (e: KeyboardEvent) => {
    if (e.key !== "?" || composing(e) || e.ctrlKey || e.metaKey || e.altKey || e.defaultPrevented || inField(e.target))
      return;
    e.preventDefault();
    useUi.getState().toggle("cheatSheet", true);
  };
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}

/** Ctrl+K or ⌘K before the palette is here: it opens when it has come, and what was typed meanwhile stands in it. */
function PaletteKey() {
  const asked = useUi((s) => s.palette);
  useEffect(() => {
    const onKey = (e: KeyboardEvent) => {
      if (composing(e) || !mod(e) || e.shiftKey || e.altKey || e.key.toLowerCase() !== "k") return;
      e.preventDefault();
      useUi.getState().toggle("palette", true);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  const ahead = (e: KeyboardEvent) =>
    useUi.setState((s) =>
      e.key === "Escape" ? { palette: false, paletteText: "" } : { paletteText: typedOn(s.paletteText, e) },
    );
  return asked ? <KeysAhead onKey={ahead} /> : null;
}
