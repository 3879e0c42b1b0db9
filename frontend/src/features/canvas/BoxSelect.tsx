import { useReactFlow, useStore, useStoreApi } from "@xyflow/react";
import { useEffect, type RefObject } from "react";
import type { FlowNode } from "@/flow";
import { useUi } from "@/stores/ui";
import { insideOf, nestedIn, type Chosen } from "@/topology";
import { useTeam } from "@/stores/team";

function flip(base: readonly string[], inside: readonly string[]): string[] {
  const had = new Set(base),
    now = new Set(inside);
  return [...base.filter((x) => !now.has(x)), ...inside.filter((x) => !had.has(x))];
}

/**
 * Selects what the box touches while it is drawn, and of groups those that lie in it whole, each as one thing. With Shift, `base` is what was chosen before: the box adds what is
 * not among it and takes away what is. React Flow's own way knows no adding, and takes connections out of the box along.
 */
export function BoxSelect({ base }: { base: RefObject<Chosen> }) {
  const flow = useReactFlow<FlowNode>(),
    store = useStoreApi();
  const box = useStore((s) => (s.userSelectionActive ? s.userSelectionRect : null));
  useEffect(() => {
    if (!box) return;
    const [x, y, zoom] = store.getState().transform;
    const r = { x: (box.x - x) / zoom, y: (box.y - y) / zoom, width: box.width / zoom, height: box.height / zoom },
      { topology } = useTeam.getState();
    const inside = flow.getIntersectingNodes(r, true);
    const frames = flow
      .getNodes()
      .flatMap((n) =>
        n.type === "frame" &&
        n.position.x >= r.x &&
        n.position.y >= r.y &&
        n.position.x + (n.width ?? 0) <= r.x + r.width &&
        n.position.y + (n.height ?? 0) <= r.y + r.height
          ? [n.data.group.id]
          : [],
      );
    const held = new Set(frames.flatMap((id) => insideOf(topology, id))),
      nested = new Set(frames.flatMap((id) => nestedIn(topology, id).map((g) => g.id)));
    const { agents, notes, groups, ...rest } = base.current;
    const next: Chosen = {
      ...rest,
      agents: flip(
        agents,
        inside.filter((n) => n.type === "agent" && !held.has(n.id)).map((n) => n.id),
      ),
      notes: flip(
        notes,
        inside.flatMap((n) => (n.type === "note" ? n.data.note.id : [])),
      ),
      groups: flip(
        groups,
        [...frames, ...inside.flatMap((n) => (n.type === "folded" ? n.data.group.id : []))].filter(
          (id) => !nested.has(id),
        ),
      ),
    };
    const { chosen, choose } = useUi.getState();
    const kinds = ["agents", "connections", "notes", "groups"] as const;
    if (chosen.everyone || kinds.some((k) => next[k].join("\n") !== chosen[k].join("\n"))) choose(next);
  }, [box, base, flow, store]);
  return null;
}
