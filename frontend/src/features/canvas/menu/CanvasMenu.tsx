import { useReactFlow } from "@xyflow/react";
import { useMemo, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useDrawing } from "@/stores/drawing";
import { useSnapping } from "@/stores/settings";
import { useUi } from "@/stores/ui";
import { chosenCount, type Chosen, type Point, type Topology } from "@/topology";
import { ContextMenu, type MenuItem } from "@/ui";
import type { Canvas } from "../keys";
import { agentItems, canvasItems, connectionItems, groupItems, noteItems, severalItems, type Say, type Shown } from "./items";

type Props = { children: ReactNode; write: Canvas["write"]; add: (what: "agent" | "note", at?: Point) => void; paste: (at?: Point) => void };
/** What the menu is about, and where on the screen it was asked for. */
type Target = { what: "canvas" | "chosen"; at?: Point };

/** What lies under a right click becomes what is chosen, unless it is already among it. */
function chooseUnder(el: HTMLElement): Target["what"] {
  const id = el.closest<HTMLElement>(".react-flow__node, .react-flow__edge, .edge-label")?.dataset.id;
  const { chosen, choose } = useUi.getState();
  if (!id) return "canvas";
  if (id.startsWith("bundle:")) return "canvas";
  const [list, key] = id.startsWith("group:") ? ["groups", id.slice(6)] as const : id.startsWith("connection:") ? ["connections", id] as const : id.startsWith("note:") ? ["notes", id.slice(5)] as const : ["agents", id] as const;
  if (!chosen[list].includes(key)) choose({ [list]: [key] });
  return "chosen";
}

type Seen = { chosen: Chosen; topology: Topology; shown: Shown };

function itemsFor(t: Say, target: Target, { chosen, topology, shown }: Seen, canvas: Canvas): MenuItem[] {
  const [agent] = chosen.agents, [note] = chosen.notes, [connection] = chosen.connections, [group] = chosen.groups;
  if (target.what !== "chosen" || !chosenCount(chosen)) return canvasItems(t, shown, canvas);
  if (chosenCount(chosen) > 1) return severalItems(t, topology, chosen);
  if (group) return groupItems(t, topology, group, canvas);
  if (agent) return agentItems(t, topology, agent, canvas);
  if (note) return noteItems(t, topology, note, canvas);
  return connection ? connectionItems(t, topology, connection, canvas) : canvasItems(t, shown, canvas);
}

/** The menu on a right click or the menu key: about what lies under the pointer, or what has the focus. */
export function CanvasMenu({ children, write, add, paste }: Props) {
  const { t } = useTranslation();
  const flow = useReactFlow();
  const chosen = useUi((s) => s.chosen), minimap = useUi((s) => s.minimap), legend = useUi((s) => s.legend), snapping = useSnapping(), topology = useDrawing((s) => s.topology);
  const [target, setTarget] = useState<Target>({ what: "canvas" });
  const items = useMemo(() => itemsFor(t, target, { chosen, topology, shown: { minimap, legend, snapping } }, { flow, write, add: (what) => add(what, target.at), paste: () => paste(target.at) }), [t, target, chosen, topology, flow, write, add, paste, minimap, legend, snapping]);
  const onAsk = (el: HTMLElement, at: Point) => {
    // The menu key sends it to what has the focus: where that is the canvas itself, it is meant for what is chosen.
    const what = el.classList.contains("canvas-menu") && chosenCount(useUi.getState().chosen) ? "chosen" : chooseUnder(el);
    setTarget({ what, at });
  };
  return <ContextMenu items={items} label={t("canvas.menu")} onAsk={onAsk}><div className="canvas-menu h-full w-full" tabIndex={-1}>{children}</div></ContextMenu>;
}
