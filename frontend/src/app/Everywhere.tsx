import { Suspense, useEffect } from "react";
import { fileCommands, FileDrop, watchHanded } from "@/features/teams";
import { watchProgress } from "@/features/firstrun";
import { editGateway } from "@/features/settings";
import { useTeam } from "@/stores/team";
import { fetchRest } from "@/stores/fetched";
import { useUi } from "@/stores/ui";
import { Boundary, dialogIsOpen, KeysAhead, typedOn, useShortcuts } from "@/ui";
import { later, useLater } from "./later";

const Palette = later(() => import("./Palette").then((m) => m.Palette));
const TeamDialogs = later(() => import("@/features/teams/TeamDialogs").then((m) => m.TeamDialogs));
const CheatSheet = later(() => import("@/features/settings/CheatSheet").then((m) => m.CheatSheet));
const ApplyNotices = later(() => import("@/features/review/ApplyNotices").then((m) => m.ApplyNotices));
const InboxNotices = later(() => import("@/features/inbox/InboxNotices").then((m) => m.InboxNotices));
const CollisionNotices = later(() => import("@/features/review/CollisionNotices").then((m) => m.CollisionNotices));
const Unread = later(() => import("./Unread").then((m) => m.Unread));
const TaskNotices = later(() => import("@/features/tasks/TaskNotices").then((m) => m.TaskNotices));
const ReachDialog = later(() => import("@/features/review/ReachDialog").then((m) => m.ReachDialog));

/** What belongs to no screen: the palette, the dialogs about teams, what an apply has to say, and the guide's memory. */
export function Everywhere() {
  useEffect(watchProgress, []);
  useEffect(watchHanded, []);
  useShortcuts("everywhere", {
    palette: () => useUi.getState().toggle("palette"),
    cheatSheet: () => useUi.getState().toggle("cheatSheet", true),
    save: () => saves(fileCommands.saveFile),
    saveAs: () => saves(fileCommands.saveFileAs),
  });
  const asked = useUi((s) => s.palette || s.cheatSheet);
  const rest = useLater() || asked;
  return (
    <>
      <FileDrop />
      {rest ? <Rest /> : <PaletteAhead />}
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
          <TeamDialogs addGateway={() => editGateway()} />
        </Suspense>
      </Boundary>
      <Boundary>
        <Suspense fallback={<PaletteAhead />}>
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

/** The key is taken even where nothing can be saved: the browser's own saving of the page means nothing here. */
function saves(run: () => unknown): void {
  if (useTeam.getState().status === "ready" && !dialogIsOpen()) void run();
}

/** The palette was asked for and is on its way: what is typed meanwhile stands in it. */
function PaletteAhead() {
  const asked = useUi((s) => s.palette);
  const ahead = (e: KeyboardEvent) =>
    useUi.setState((s) =>
      e.key === "Escape" ? { palette: false, paletteText: "" } : { paletteText: typedOn(s.paletteText, e) },
    );
  return asked ? <KeysAhead onKey={ahead} /> : null;
}
