import {
  ConnectionMode,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
  useStoreApi,
  type NodeMouseHandler,
} from "@xyflow/react";
import { useEffect, useMemo, useRef, useState, type PointerEvent, type ReactNode } from "react";
import {
  noMarks,
  nothing,
  assignFaces,
  noFaces,
  type Chosen,
  type Faces,
  type Marks,
  type Topology,
} from "../topology";
import { lasting } from "../ui";
import { FarContext, farBelow } from "./context";
import { useCrowd } from "./crowd";
import { EdgeMarkers } from "./EdgeMarkers";
import { hasEveryone, useEveryoneNode } from "./everyone";
import { FarCanvas } from "./FarCanvas";
import { KeepView } from "./KeepView";
import { LineCanvas } from "./LineCanvas";
import { useLines } from "./lines";
import { Paper } from "./Paper";
import { newCache, type FlowEdge, type FlowNode } from "./flowPicture";
import { toEdges } from "./toEdges";
import { toNodes } from "./toNodes";
import { edgeTypes, nodeTypes } from "./types";
import { useWords } from "./words";

/** Clear of the legend at the top, which has the same height at every zoom. */
const legend = 56;
const whole = {
  padding: { top: `${legend}px`, right: 0.12, bottom: 0.12, left: 0.12 },
  maxZoom: 1,
  includeHiddenNodes: true,
} as const;

export type ReadOnlyCanvasProps = {
  /** What to draw; put removed things back with withRemoved() to see them struck through. */
  topology: Topology;
  marks?: Marks;
  /** From the drawing store, so that faces are the same everywhere. */
  faces?: Faces;
  label: string;
  /** Selected from outside, for example the change the list stands on. */
  chosen?: Partial<Chosen>;
  /** Bring these agents into view, where they are not; a new array each time. */
  reveal?: readonly string[];
  dim?: (thing: { agent?: string; connection?: string }) => boolean;
  onAgent?: (id: string) => void;
  onConnection?: (key: string) => void;
  onEveryone?: () => void;
  /** Floats above: legends, counts. */
  children?: ReactNode;
};

/** A drawing with its change marks, to look at: pan, zoom and click, nothing else. */
export function ReadOnlyCanvas(props: ReadOnlyCanvasProps) {
  return (
    <ReactFlowProvider>
      <Inner {...props} />
    </ReactFlowProvider>
  );
}

function Inner({
  topology,
  marks = noMarks,
  faces,
  label,
  chosen,
  reveal,
  dim,
  onAgent,
  onConnection,
  onEveryone,
  children,
}: ReadOnlyCanvasProps) {
  const words = useWords();
  const [cache] = useState(newCache);
  const own = useMemo(() => assignFaces(faces ?? noFaces, topology.agents), [faces, topology]);
  const picture = useMemo(
    () => ({ topology, marks, faces: own, chosen: { ...nothing, ...chosen }, dim, review: true, words }),
    [topology, marks, own, chosen, dim, words],
  );
  const drawn = useMemo(() => toNodes(picture, cache), [picture, cache]);
  const everyone = useEveryoneNode({
    // Also where nothing is set any more: then that is the change.
    shown: topology.agents.length > 0 && (!!marks.everyone || hasEveryone(topology)),
    topology,
    mark: marks.everyone,
    chosen: chosen?.everyone,
    review: true,
  });
  const nodes = useMemo(() => (everyone ? [everyone, ...drawn] : drawn), [everyone, drawn]);
  const edges = useMemo(
    () => toEdges(picture, cache).map((e) => (e.reconnectable ? { ...e, reconnectable: false } : e)),
    [picture, cache],
  );
  const keep = useMemo(() => chosen?.agents ?? [], [chosen]);
  const { far, crowd, shown, seek, onPointer, onFocus } = useCrowd(nodes, keep);
  const lines = useLines(nodes, edges, far);
  const onPointers = (e: PointerEvent) => {
    onPointer(e);
    lines.onPointer(e);
  };
  const onNodeClick: NodeMouseHandler<FlowNode> = (_, n) => {
    if (n.type === "agent") onAgent?.(n.id);
    else if (n.type === "everyone") onEveryone?.();
  };
  return (
    <section
      className="canvas"
      aria-label={label}
      data-readonly
      data-crowd={crowd ? "" : undefined}
      data-lines={lines.drawn.length ? "" : undefined}
      onPointerMoveCapture={onPointers}
      onPointerDownCapture={onPointers}
      onFocus={(e) => {
        if (e.target.dataset.id) onFocus(e.target.dataset.id);
      }}
    >
      <FarContext value={far}>
        <EdgeMarkers />
        <ReactFlow<FlowNode, FlowEdge>
          nodes={shown}
          edges={lines.elements}
          onMoveEnd={seek}
          nodeTypes={nodeTypes}
          edgeTypes={edgeTypes}
          connectionMode={ConnectionMode.Loose}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={!!onAgent}
          edgesFocusable={false}
          elementsSelectable={!!onAgent}
          onlyRenderVisibleElements
          fitView
          fitViewOptions={whole}
          minZoom={0.05}
          maxZoom={2}
          zoomOnDoubleClick={false}
          deleteKeyCode={null}
          selectionKeyCode={null}
          disableKeyboardA11y
          onNodeClick={onNodeClick}
          onEdgeClick={(_, e) => onConnection?.(e.id)}
          proOptions={{ hideAttribution: true }}
        >
          {!crowd && <Paper />}
          {far ? (
            <FarCanvas nodes={nodes} edges={edges} crowd={crowd} />
          ) : (
            lines.drawn.length > 0 && <LineCanvas nodes={lines.ground} edges={lines.drawn} />
          )}
          <KeepView fit={whole} panes />
          <Reveal ids={reveal} topology={topology} />
        </ReactFlow>
      </FarContext>
      {children}
    </section>
  );
}

/** Keeps the view on what matters: all of a new drawing, or the agents asked for. */
function Reveal({ ids, topology }: { ids?: readonly string[]; topology: Topology }) {
  const { fitView, getNodesBounds, flowToScreenPosition } = useReactFlow();
  const store = useStoreApi();
  const height = useStore((s) => s.height); // a panel that opens below may cover what was in view
  const key = topology.agents.map((a) => a.id).join("\n");
  const fitted = useRef<Promise<unknown>>(Promise.resolve());
  useEffect(() => {
    fitted.current = fitView({ ...whole, duration: 0 });
  }, [key, fitView]);
  useEffect(() => {
    void fitted.current.then(() => {
      const box = store.getState().domNode?.getBoundingClientRect();
      if (!ids?.length || !box) return;
      const r = getNodesBounds([...ids]),
        a = flowToScreenPosition(r),
        b = flowToScreenPosition({ x: r.x + r.width, y: r.y + r.height });
      const seen = a.x >= box.left && a.y >= box.top + legend - 8 && b.x <= box.right && b.y <= box.bottom;
      if (!seen || store.getState().transform[2] < farBelow)
        void fitView({
          nodes: ids.map((id) => ({ id })),
          padding: { ...whole.padding, left: 0.6, right: 0.6 },
          maxZoom: 1,
          includeHiddenNodes: true,
          duration: lasting(160),
        });
    });
  }, [ids, fitView, getNodesBounds, flowToScreenPosition, store, height]);
  return null;
}
