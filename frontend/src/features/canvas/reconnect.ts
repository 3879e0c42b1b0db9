import type { OnReconnect } from "@xyflow/react";
import type { FlowEdge } from "@/flow";
import { useDrawing } from "@/stores/drawing";
import { useUi } from "@/stores/ui";
import { allConnections, changeConnection, connectionKey } from "@/topology";
import { pairName } from "./actions";

/** Dragging an end of a chosen connection to another agent. */
export const onReconnect: OnReconnect<FlowEdge> = (old, now) => {
  const { edit, topology } = useDrawing.getState();
  const c = allConnections(topology).find((x) => connectionKey(x) === old.id);
  if (!c) return;
  const next = { from: now.source, kind: c.kind, to: now.target };
  edit(`edit.connection|${pairName(next)}`, (d) => changeConnection(d, c, next));
  useUi.getState().choose({ connections: [connectionKey(next)] });
};
