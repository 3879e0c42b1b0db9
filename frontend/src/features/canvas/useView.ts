import { getViewportForBounds, useReactFlow, useStoreApi, type ReactFlowProps } from "@xyflow/react";
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from "react";
import { fitOptions, type FlowEdge, type FlowNode } from "@/flow";
import { useTeam } from "@/stores/team";
import { keepView, viewIn, viewOf } from "@/stores/views";

type First = Pick<ReactFlowProps<FlowNode, FlowEdge>, "fitView">;

/** A team opens with its last view. A new team, or one that was fitted, is fitted to the canvas. */
export function useView(
  area: RefObject<HTMLElement | null>,
  empty: boolean,
): { first: First; onMoveStart: () => void; onMoveEnd: () => void } {
  const id = useTeam((s) => s.id);
  const flow = useReactFlow<FlowNode, FlowEdge>(),
    store = useStoreApi<FlowNode, FlowEdge>();
  const [was] = useState(() => viewOf(id));
  const placed = useRef(!was),
    moved = useRef(false);
  useEffect(() => {
    const r = area.current?.getBoundingClientRect();
    if (placed.current || !was || !r) return;
    placed.current = true;
    void flow.setViewport(viewIn(was, r));
  }, [was, flow, area]);
  const onMoveStart = useCallback(() => {
    moved.current = true;
  }, []);
  const onMoveEnd = useCallback(() => {
    const {
        width,
        height,
        minZoom,
        transform: [x, y, zoom],
      } = store.getState(),
      nodes = flow.getNodes();
    if (!placed.current || !width || !nodes.length) return;
    const { padding, maxZoom } = fitOptions(),
      fit = getViewportForBounds(flow.getNodesBounds(nodes), width, height, minZoom, maxZoom, padding);
    const fitted = Math.abs(fit.zoom - zoom) < 0.001 && Math.abs(fit.x - x) < 2 && Math.abs(fit.y - y) < 2;
    keepView(id, fitted ? undefined : { x, y, zoom, width, height });
  }, [id, flow, store]);
  // React Flow reports the end of a move some 150 ms after the last turn of the wheel. Leaving before that keeps the view, too.
  useLayoutEffect(
    () => () => {
      if (moved.current) onMoveEnd();
    },
    [onMoveEnd],
  );
  return { first: { fitView: !was && !empty }, onMoveStart, onMoveEnd };
}
