import { useEffect } from "react";
import { DrawingDialogs, drawingCommands } from "@/features/drawings";
import { watchProgress } from "@/features/firstrun";
import { showVersion } from "@/features/history";
import { CommandPalette } from "@/features/palette";
import { editGateway, openSettings } from "@/features/settings";
import { useCommands } from "./commands";

const ways = { drawing: drawingCommands.switchTo, gateway: () => openSettings("gateways"), version: showVersion };

/** What belongs to no screen: the palette, the dialogs about drawings, and the guide's memory. */
export function Everywhere() {
  const commands = useCommands();
  useEffect(watchProgress, []);
  return (
    <>
      <DrawingDialogs addGateway={() => editGateway()} />
      <CommandPalette commands={commands} ways={ways} />
    </>
  );
}
