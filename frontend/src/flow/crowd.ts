import { useStore, useStoreApi } from "@xyflow/react";
import { useCallback, useMemo, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { NODE_H, NODE_W } from "../topology";
import { farBelow } from "./context";
import type { FlowNode } from "./flowPicture";

/** So many nodes can be elements when seen from far; more of them are drawn. */
const mostElements = 200;

const drawn = (n: FlowNode) => n.type === "agent" || n.type === "folded";
const hidden = new WeakMap<FlowNode, FlowNode>();
/** React Flow knows where a hidden node is, but makes no element for it. */
function hide(n: FlowNode): FlowNode {
  let h = hidden.get(n);
  if (!h) hidden.set(n, (h = { ...n, hidden: true }));
  return h;
}

/** The agent or folded group that is drawn at a point of the drawing, the foremost first. */
export function nodeAt(nodes: readonly FlowNode[], x: number, y: number): string | undefined {
  return nodes.findLast(
    (n) =>
      drawn(n) && x >= n.position.x && x <= n.position.x + NODE_W && y >= n.position.y && y <= n.position.y + NODE_H,
  )?.id;
}

/**
 * A large team seen from far is drawn on one canvas. Whatever somebody is about to use stays an element all the same: what
 * lies under the pointer, what has the focus, what `keep` names, and the first and the last, where Tab comes in. So a click,
 * a drag, a menu and a key find what they find when seen from near.
 */
export function useCrowd(nodes: FlowNode[], keep: readonly string[]) {
  const store = useStoreApi();
  const many = nodes.length > mostElements;
  // Before the first view is known, a large team counts as far: all of it would become elements for a moment.
  const far = useStore(({ transform: [x, y, zoom] }) => zoom < farBelow || (many && zoom === 1 && x === 0 && y === 0));
  const crowd = far && many;
  const [under, setUnder] = useState<string>();
  const [focused, setFocused] = useState<string>();
  const shown = useMemo(() => {
    if (!crowd) return nodes;
    const stay = new Set([...keep, under, focused, nodes.find(drawn)?.id, nodes.findLast(drawn)?.id]);
    return nodes.map((n) => (!drawn(n) || stay.has(n.id) ? n : hide(n)));
  }, [nodes, crowd, keep, under, focused]);

  const pointer = useRef<Place>(undefined);
  const seek = useCallback(() => {
    const at = pointer.current,
      {
        domNode,
        transform: [x, y, zoom],
      } = store.getState(),
      box = domNode?.getBoundingClientRect();
    const id =
      crowd && at && box
        ? nodeAt(nodes, (at.clientX - box.left - x) / zoom, (at.clientY - box.top - y) / zoom)
        : undefined;
    // At once: the button may be pressed before React would come to it.
    if (id !== under) flushSync(() => setUnder(id));
  }, [crowd, nodes, store, under]);
  /** While a button is held, what it was pressed on stays what is used. */
  const onPointer = useCallback(
    (e: Place & { type: string; buttons: number }) => {
      pointer.current = { clientX: e.clientX, clientY: e.clientY };
      if (e.type !== "pointermove" || !e.buttons) seek();
    },
    [seek],
  );
  return { far, crowd, shown, seek, onPointer, onFocus: setFocused };
}

type Place = { clientX: number; clientY: number };
