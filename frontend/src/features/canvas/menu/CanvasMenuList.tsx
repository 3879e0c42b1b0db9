import { useReactFlow } from "@xyflow/react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useTeam } from "@/stores/team";
import { useSnapping } from "@/stores/settings";
import { useUi } from "@/stores/ui";
import { chosenCount, type Chosen, type Topology } from "@/topology";
import { MenuAt, type MenuItem, type MenuPlace } from "@/ui";
import type { Canvas } from "../keys";
import type { CanvasMenuActs } from "./CanvasMenu";
import {
  agentItems,
  canvasItems,
  connectionItems,
  everyoneItems,
  groupItems,
  noteItems,
  severalItems,
  type Say,
  type Shown,
} from "./items";

type Seen = { chosen: Chosen; topology: Topology; shown: Shown };

function itemsFor(t: Say, { chosen, topology, shown }: Seen, canvas: Canvas): MenuItem[] {
  const [agent] = chosen.agents,
    [note] = chosen.notes,
    [connection] = chosen.connections,
    [group] = chosen.groups;
  if (chosen.everyone) return everyoneItems(t);
  if (chosenCount(chosen) > 1) return severalItems(t, topology, chosen);
  if (group) return groupItems(t, topology, group, canvas);
  if (agent) return agentItems(t, topology, agent, canvas);
  if (note) return noteItems(t, topology, note, canvas);
  return connection ? connectionItems(t, topology, connection, canvas) : canvasItems(t, shown, canvas);
}

/** What the canvas' menu holds: for what is chosen, or for the canvas itself at that point. */
export function CanvasMenuList({
  about,
  at,
  onClose,
  write,
  add,
  paste,
}: MenuPlace & CanvasMenuActs & { about: "canvas" | "chosen" }) {
  const { t } = useTranslation();
  const flow = useReactFlow();
  const chosen = useUi((s) => s.chosen),
    minimap = useUi((s) => s.minimap),
    legend = useUi((s) => s.legend),
    snapping = useSnapping(),
    topology = useTeam((s) => s.topology);
  const items = useMemo(() => {
    const shown = { minimap, legend, snapping },
      canvas: Canvas = { flow, write, add: (what) => add(what, at), paste: () => paste(at) };
    return about === "chosen" ? itemsFor(t, { chosen, topology, shown }, canvas) : canvasItems(t, shown, canvas);
  }, [t, about, at, chosen, topology, flow, write, add, paste, minimap, legend, snapping]);
  return <MenuAt at={at} onClose={onClose} items={items} label={t("canvas.menu")} />;
}
