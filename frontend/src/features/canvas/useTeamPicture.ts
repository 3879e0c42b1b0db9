import { applyNodeChanges, useStoreApi, type NodeChange } from "@xyflow/react";
import { useCallback, useEffect, useMemo, useState } from "react";
import { newCache, noteNodeId, toEdges, toNodes, useWords, type FlowEdge, type FlowNode } from "@/flow";
import { useDrawing } from "@/stores/drawing";
import { useUi } from "@/stores/ui";
import { marksOf, nothing, stillThere, type Point } from "@/topology";
import { duplicateTo, moveTo } from "./actions";
import { sawNote } from "./arrange";
import { ghostOf, settle, steer, watchHeld, type Places } from "./steering";

/** The drawing as React Flow wants it, and what its gestures mean for the draft and the selection. */
export function useTeamPicture() {
  const topology = useDrawing((s) => s.topology), changes = useDrawing((s) => s.changes), faces = useDrawing((s) => s.faces), problems = useDrawing((s) => s.problems);
  const chosen = useUi((s) => s.chosen), highlight = useUi((s) => s.highlight);
  const words = useWords();
  const [cache] = useState(newCache);
  const [, redraw] = useState(0);
  /** Nodes on their way during a drag; the draft learns where they went at its end. */
  const [dragged, setDragged] = useState<ReadonlyMap<string, Point> | null>(null);
  const [copying, setCopying] = useState(false);
  const store = useStoreApi();
  useEffect(() => watchHeld(setCopying), []);

  // Undo, another window or a merge may take away what is chosen; it must not count on.
  useEffect(() => {
    const { chosen: now, choose } = useUi.getState(), left = stillThere(topology, now);
    if (left !== now) choose(left);
  }, [topology]);

  const marks = useMemo(() => marksOf(changes), [changes]);
  const picture = useMemo(() => ({ topology, marks, faces, chosen, problems, highlight, words }), [topology, marks, faces, chosen, problems, highlight, words]);
  const still = useMemo(() => toNodes(picture, cache), [picture, cache]);
  const nodes = useMemo(() => {
    if (!dragged) return still;
    if (copying) return [...still, ...still.flatMap((n) => { const p = dragged.get(n.id); return p ? [ghostOf(n, p)] : []; })];
    return still.map((n) => { const p = dragged.get(n.id); return p ? { ...n, position: p, dragging: true } : n; });
  }, [still, dragged, copying]);
  const edges = useMemo(() => toEdges(picture, cache), [picture, cache]);

  const onNodesChange = useCallback((all: NodeChange<FlowNode>[]) => {
    const selects = all.filter((c) => c.type === "select");
    if (selects.length) select(selects, "nodes");
    const moves = all.filter((c) => c.type === "position" && c.dragging && c.position);
    if (moves.length) setDragged(steer(new Map(moves.flatMap((c) => (c.type === "position" && c.position ? [[c.id, c.position] as const] : []))), still, store.getState()));
    for (const c of all) {
      if (c.type !== "dimensions" || !c.dimensions || !c.id.startsWith("note:")) continue;
      cache.sizes.set(c.id, c.dimensions);
      sawNote(c.id.slice(5), c.dimensions.height);
      const old = cache.nodes.get(c.id);
      if (old) cache.nodes.set(c.id, applyNodeChanges([c], [old])[0] ?? old);
      redraw((n) => n + 1);
    }
  }, [cache, still, store]);

  const onDragEnd = useCallback(() => {
    const end = settle();
    setDragged(null);
    setCopying(false);
    if (!end) return;
    if (end.copy) copyTo(end.at, still);
    else moveTo(Object.fromEntries([...end.at].filter(([id]) => !id.includes(":"))), Object.fromEntries([...end.at].filter(([id]) => id.startsWith("note:")).map(([id, p]) => [id.slice(5), p])));
  }, [still]);
  return { nodes, edges, onNodesChange, onDragEnd, empty: !topology.agents.length && !topology.notes?.length };
}

/** A drag with Alt: what was dragged stays, and copies of it stand where it was dropped. */
function copyTo(at: Places, still: readonly FlowNode[]): void {
  const [first] = at, from = first && still.find((n) => n.id === first[0]);
  if (!first || !from) return;
  const ids = [...at.keys()], notes = ids.filter((id) => id.startsWith("note:")).map((id) => id.slice(5)), groups = ids.filter((id) => id.startsWith("group:")).map((id) => id.slice(6));
  duplicateTo({ ...nothing, agents: ids.filter((id) => !id.includes(":")), notes, groups }, { x: first[1].x - from.position.x, y: first[1].y - from.position.y });
}

type Select = { id: string; selected: boolean };

/** Carries React Flow's selection into ours, which is the true one. */
export function select(changes: readonly Select[], what: "nodes" | "edges"): void {
  const { chosen, choose } = useUi.getState();
  const agents = new Set(chosen.agents), notes = new Set(chosen.notes), connections = new Set(chosen.connections);
  for (const c of changes) {
    const [set, id] = what === "edges" ? [connections, c.id] as const : c.id.startsWith("note:") ? [notes, c.id.slice(5)] as const : [agents, c.id] as const;
    if (c.selected) set.add(id); else set.delete(id);
  }
  const next = { agents: [...agents], notes: [...notes], connections: [...connections] };
  if (next.agents.length !== chosen.agents.length || next.notes.length !== chosen.notes.length || next.connections.length !== chosen.connections.length
    || next.agents.some((id) => !chosen.agents.includes(id)) || next.notes.some((id) => !chosen.notes.includes(id)) || next.connections.some((id) => !chosen.connections.includes(id))) choose(next);
}

export { noteNodeId, type FlowEdge };
