import { CanvasScreen } from "@/features/canvas";
import { DrawingMenu, drawingCommands, openDialog } from "@/features/drawings";
import { StartHere, StartHereOver, Tour, useGuide } from "@/features/firstrun";
import { FindBox } from "@/features/palette";
import { editGateway, openSettings } from "@/features/settings";
import { i18next } from "@/i18n";
import { useHub } from "@/stores/hub";

/** A gateway of one's own is drawn; where there is none yet, it is added first. */
const importOwn = () => { if (useHub.getState().gateways.some((g) => !g.builtin)) openDialog("import"); else editGateway(); };
const guide = { onImport: importOwn, onOpenFile: () => void drawingCommands.openFile(), onGateway: (url: string) => editGateway("", url), onModels: () => openSettings("models") };

const openTeam = (text: string) => void drawingCommands.openPasted({ name: i18next.t("clip.fileName"), text });

/** The canvas with what other parts put into its head and side. */
export function CanvasPage() {
  const shown = useGuide();
  return (
    <>
      <CanvasScreen menu={<DrawingMenu />} end={<FindBox />} openTeam={openTeam} idle={shown ? <StartHere {...guide} /> : undefined} />
      <StartHereOver {...guide} />
      <Tour />
    </>
  );
}
