export { ChangeMark, markSign } from "./ChangeMark";
export { FarContext, farBelow, FlowActionsContext, useFlowActions, type FlowActions } from "./context";
export { EdgeMarkers } from "./EdgeMarkers";
export { KindGlyph } from "./KindGlyph";
export { Minimap } from "./Minimap";
export { ReadOnlyCanvas, type ReadOnlyCanvasProps } from "./ReadOnlyCanvas";
export { newCache, noteNodeId, toEdges, toNodes, type FlowEdge, type FlowNode, type Picture } from "./toFlow";
export { edgeTypes, nodeTypes } from "./types";
export { useWords } from "./words";
