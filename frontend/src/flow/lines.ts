import { useStoreApi } from "@xyflow/react";
import { useCallback, useContext, useMemo, useState, useSyncExternalStore, type PointerEvent } from "react";
import { flushSync } from "react-dom";
import { lineAt } from "./nearLines";
import type { FlowEdge, FlowNode } from "./flowPicture";
import { WorkContext } from "./work";

/** The most lines that can be elements. More are drawn on a canvas. */
const mostElements = 300;
/** The most dragged lines that can be elements. More are redrawn at every step. */
const mostDragged = 60;
const none: FlowEdge[] = [];

/** Which lines a task runs along. */
function useLitLines(edges: readonly FlowEdge[], many: boolean): ReadonlySet<string> {
  const source = useContext(WorkContext);
  const lit = useSyncExternalStore(source.subscribe, () =>
    many
      ? edges
          .filter((e) => source.lit(e.id))
          .map((e) => e.id)
          .join("\n")
      : "",
  );
  return useMemo(() => new Set(lit ? lit.split("\n") : []), [lit]);
}

/** The last of a list's values where nothing in it is new. */
function useSame<T>(list: readonly T[]): readonly T[] {
  const [had, keep] = useState(list);
  if (had === list || (had.length === list.length && had.every((x, i) => x === list[i]))) return had;
  keep(list);
  return list;
}

/**
 * The lines of a large team are drawn. Whatever somebody is about to use, reads, or sees move stays an element all the same: the
 * line under the pointer, what is chosen or dragged, what has a label, what a task runs along, and the one that `writing` names.
 */
export function useLines(nodes: readonly FlowNode[], edges: FlowEdge[], far: boolean, writing?: string) {
  const store = useStoreApi();
  const many = !far && edges.length > mostElements;
  const [under, setUnder] = useState<string>();
  const lit = useLitLines(edges, many);
  const moving = useSame(useMemo(() => (many ? nodes.filter((n) => n.dragging).map((n) => n.id) : []), [many, nodes]));
  const dragged = useMemo(() => {
    const ids = new Set(moving),
      all = moving.length ? edges.filter((e) => ids.has(e.source) || ids.has(e.target)) : none;
    return new Set(all.length <= mostDragged ? all : none);
  }, [moving, edges]);
  const [elements, drawn] = useMemo(() => {
    if (far) return [none, none];
    if (!many) return [edges, none];
    const used = (e: FlowEdge) =>
      !!e.selected || e.id === writing || !!e.data?.label || !!e.data?.count || lit.has(e.id) || dragged.has(e);
    return [edges.filter(used), edges.filter((e) => !used(e))];
  }, [edges, far, many, writing, lit, dragged]);
  // The line under the pointer is an element above its drawn copy, so the rest isn't redrawn.
  const touched = useMemo(() => {
    const e = under === undefined ? undefined : drawn.find((x) => x.id === under);
    return e ? [...elements, e] : elements;
  }, [elements, drawn, under]);
  // Where what is dragged has its lines as elements, the others stand on what rests.
  const ground = useSame(useMemo(() => (dragged.size ? nodes.filter((n) => !n.dragging) : nodes), [nodes, dragged]));
  /** While a button is held, what it was pressed on stays what is used. */
  const onPointer = useCallback(
    (e: PointerEvent) => {
      if (!many || (e.type === "pointermove" && e.buttons)) return;
      const {
          domNode,
          transform: [x, y, zoom],
        } = store.getState(),
        box = domNode?.getBoundingClientRect();
      const open = e.target instanceof Element && !e.target.closest(".react-flow__node, .float");
      const id =
        box && open
          ? lineAt(nodes, edges, { x: (e.clientX - box.left - x) / zoom, y: (e.clientY - box.top - y) / zoom })
          : undefined;
      // At once: the button may be pressed before React would come to it.
      if (id !== under) flushSync(() => setUnder(id));
    },
    [many, nodes, edges, store, under],
  );
  return { elements: touched, drawn, ground, onPointer };
}
