import { Suspense } from "react";
import { CanvasScreen } from "@/features/canvas";
import { TeamMenu, teamCommands, openDialog } from "@/features/teams";
import { useGuide } from "@/features/firstrun";
import { ListToggle, toggleList } from "@/features/list";
import { FindBox } from "@/features/palette";
import { LaneToggle, RoutesToggle, toggleRoutes } from "@/features/routing";
import { editGateway, openSettings, openTrust } from "@/features/settings";
import { i18next } from "@/i18n";
import { useHub } from "@/stores/hub";
import { Boundary } from "@/ui";
import { later, useLater } from "./later";

const StartHere = later(() => import("@/features/firstrun/StartHere").then((m) => m.StartHere));
const StartHereOver = later(() => import("@/features/firstrun/StartHere").then((m) => m.StartHereOver));
const Tour = later(() => import("@/features/firstrun/Tour").then((m) => m.Tour));
const RoutesPanel = later(() => import("@/features/routing/RoutesPanel").then((m) => m.RoutesPanel));
const Lane = later(() => import("@/features/routing/Lane").then((m) => m.Lane));
const TeamList = later(() => import("@/features/list/TeamList").then((m) => m.TeamList));

/** A gateway of one's own is drawn; where there is none yet, it is added first. */
const importOwn = () => {
  if (useHub.getState().gateways.some((g) => !g.builtin)) openDialog("import");
  else editGateway();
};
const guide = {
  onImport: importOwn,
  onOpenFile: () => void teamCommands.openFile(),
  onGateway: (url: string) => editGateway("", url),
  onModels: () => openSettings("models"),
};

const openTeam = (text: string) => void teamCommands.openPasted({ name: i18next.t("clip.fileName"), text });

/** The canvas with what other parts put into its head and side. */
export function CanvasPage() {
  const shown = useGuide(),
    rest = useLater();
  return (
    <>
      <CanvasScreen
        menu={<TeamMenu />}
        end={
          <>
            <ListToggle />
            <RoutesToggle />
            <LaneToggle />
            <FindBox />
          </>
        }
        routes={(viewOnly) => <RoutesPanel onClose={toggleRoutes} viewOnly={viewOnly} />}
        lane={(onLane) => <Lane onLane={onLane} />}
        list={<TeamList onClose={toggleList} />}
        openTeam={openTeam}
        onTrust={openTrust}
        idle={shown ? rest ? <StartHere {...guide} /> : <i /> : undefined}
      />
      {rest && (
        <Boundary>
          <Suspense>
            <StartHereOver {...guide} />
            <Tour />
          </Suspense>
        </Boundary>
      )}
    </>
  );
}
