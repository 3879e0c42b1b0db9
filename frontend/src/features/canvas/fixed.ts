import { ConnectionMode, SelectionMode, type ReactFlowProps } from "@xyflow/react";
import type { MouseEvent } from "react";
import type { FlowEdge, FlowNode } from "@/flow";
import { useUi } from "@/stores/ui";
import { chosenCount } from "@/topology";
import { startConnecting, useConnecting } from "./connecting";
import { chooseEveryone } from "./everyone";
import { selectRoutes } from "./lane";
import { reconnecting } from "./reconnect";
import { select } from "./useTeamPicture";

/** A frame is chosen by its head; React Flow only knows nodes that a box may choose, too, and leaves several chosen as they are. */
function onNodeClick(e: MouseEvent, n: FlowNode): void {
  const { chosen, choose } = useUi.getState(),
    more = e.shiftKey || e.ctrlKey || e.metaKey;
  if (n.type === "channel") return;
  if (n.type === "everyone") {
    chooseEveryone();
    return;
  }
  if (n.type !== "frame") {
    if (!more && chosenCount(chosen) > 1)
      choose(
        n.type === "agent"
          ? { agents: [n.id] }
          : n.type === "note"
            ? { notes: [n.data.note.id] }
            : { groups: [n.data.group.id] },
      );
    return;
  }
  const { id } = n.data.group;
  choose(
    !more
      ? { groups: [id] }
      : {
          ...chosen,
          groups: chosen.groups.includes(id) ? chosen.groups.filter((g) => g !== id) : [...chosen.groups, id],
        },
  );
}

/**
 * Props of React Flow that never change. They are constants because a single new handler makes React Flow
 * render every node and edge again, at every keystroke.
 */
export const fixed = {
  ...reconnecting,
  onNodeClick,
  onEdgesChange: (changes) => select(selectRoutes(changes.filter((c) => c.type === "select")), "edges"),
  onConnectStart: (_, p) => {
    if (p.nodeId && !useConnecting.getState().moving) startConnecting(p.nodeId);
  },
  isValidConnection: (c) => c.source !== c.target,
  reconnectRadius: 12,
  connectionMode: ConnectionMode.Loose,
  connectionRadius: 28,
  edgesFocusable: false,
  elevateNodesOnSelect: false,
  selectionMode: SelectionMode.Partial,
  panActivationKeyCode: "Space",
  multiSelectionKeyCode: ["Shift", "Meta", "Control"],
  selectionKeyCode: null,
  deleteKeyCode: null,
  disableKeyboardA11y: true,
  panOnScroll: true,
  zoomOnScroll: false,
  zoomOnPinch: true,
  zoomOnDoubleClick: false,
  zoomActivationKeyCode: ["Control", "Meta"],
  onlyRenderVisibleElements: true,
  nodeDragThreshold: 3,
  snapToGrid: false,
  minZoom: 0.05,
  maxZoom: 2,
  proOptions: { hideAttribution: true },
} satisfies Partial<ReactFlowProps<FlowNode, FlowEdge>>;

export const middleButton = [1];
