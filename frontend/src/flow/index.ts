export { AskList, Refusal } from "./AskList";
export { agentName, captionOf, nameOfField, shortValue, titleOf, type Teams } from "./describe";
export { ChangeMark, markSign } from "./ChangeMark";
export { FarContext, FlowActionsContext, useFlowActions, type FlowActions } from "./context";
export { useCrowd } from "./crowd";
export { EdgeMarkers } from "./EdgeMarkers";
export { FarCanvas } from "./FarCanvas";
export { framesFor, groupNodeId, groupOfNode, nodeBox, shownAs, type Frames } from "./frames";
export { KindGlyph } from "./KindGlyph";
export { Paper } from "./Paper";
export { KeepView } from "./KeepView";
export { LineCanvas } from "./LineCanvas";
export { useLines } from "./lines";
export { MarkLegend } from "./MarkLegend";
export { Minimap } from "./Minimap";
export { ReadOnlyCanvas, type ReadOnlyCanvasProps } from "./ReadOnlyCanvas";
export {
  newCache,
  noteNodeId,
  renamed,
  shifted,
  toEdges,
  toNodes,
  type FlowEdge,
  type FlowNode,
  type Picture,
} from "./toFlow";
export { edgeTypes, nodeTypes } from "./types";
export { useWords } from "./words";
export { nobodyWorks, WorkContext, type WorkSource } from "./work";
export { fitOptions, ZoomControl } from "./ZoomControl";
