import { Position } from "@xyflow/react";

/** The four sides that a line may leave from and lead to. */
export const handlePlaces = [
  ["t", Position.Top],
  ["r", Position.Right],
  ["b", Position.Bottom],
  ["l", Position.Left],
] as const;

/** Handles as plain elements, for nodes that nobody draws a line from by hand: React Flow measures them, and a thousand need no components for that. */
export function PlainHandles({ node }: { node: string }) {
  return handlePlaces.map(([side, position]) => (
    <i
      key={side}
      className={`react-flow__handle react-flow__handle-${position} handle source`}
      data-handleid={side}
      data-nodeid={node}
      data-handlepos={position}
    />
  ));
}
