import { teamCommands } from "@/features/teams";
import { showVersion } from "@/features/history";
import { CommandPalette } from "@/features/palette/CommandPalette";
import { openSettings } from "@/features/settings";
import { useCommands } from "./commands";
import { useThings } from "./things";

const ways = { team: teamCommands.switchTo, gateway: () => openSettings("gateways"), version: showVersion };

/** The palette with what can be run from it. */
export function Palette() {
  return <CommandPalette commands={useCommands()} ways={ways} useThings={useThings} />;
}
