import type { OnReconnect, ReactFlowProps } from "@xyflow/react";
import { isRoute, type FlowEdge } from "@/flow";
import { useTeam } from "@/stores/team";
import { dropEnd, startMoving, startMovingRoute } from "./connecting";
import { lineOf } from "./lines";
import { agentAt } from "./view";

type Props = Required<Pick<ReactFlowProps<never, FlowEdge>, "onReconnect" | "onReconnectStart" | "onReconnectEnd">>;

/** React Flow needs this to make ends draggable. onReconnectEnd handles the drop, anywhere on an agent. */
const onReconnect: OnReconnect<FlowEdge> = () => undefined;

/** Dragging an end of a chosen connection to another agent. */
export const reconnecting: Props = {
  onReconnect,
  onReconnectStart: (_, edge, fixed) => {
    if (isRoute(edge.id)) {
      startMovingRoute(edge.id, edge.source, edge.target);
      return;
    }
    const line = lineOf(useTeam.getState().topology, edge.id);
    if (line) startMoving(line, fixed === "source" ? "to" : "from");
  },
  onReconnectEnd: (e, _, __, state) => {
    const at = "changedTouches" in e ? e.changedTouches[0] : e;
    dropEnd((at && agentAt(at.clientX, at.clientY)) ?? (state.isValid ? state.toNode?.id : undefined));
  },
};
