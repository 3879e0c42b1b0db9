import { MiniMap } from "@xyflow/react";
import type { FlowNode } from "./toFlow";

const colour = (n: FlowNode) => (n.type === "agent" ? `var(--id-${n.data.colour})` : n.type === "note" ? "var(--note-line)" : "var(--hover)");

/** The whole drawing, small; drag the view, click to go there. */
export function Minimap({ label }: { label: string }) {
  return <MiniMap<FlowNode> className="minimap" ariaLabel={label} nodeColor={colour} nodeBorderRadius={8} maskColor="var(--press)" maskStrokeColor="var(--accent-text)" maskStrokeWidth={1} pannable zoomable style={{ width: 144, height: 92, right: 12, bottom: 12 }} />;
}
