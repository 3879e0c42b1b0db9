import { applyNodeChanges, useStoreApi, type NodeChange } from "@xyflow/react";
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from "react";
import {
  groupOfNode,
  newCache,
  noteNodeId,
  renamed,
  shifted,
  toEdges,
  toNodes,
  useWords,
  type FlowEdge,
  type FlowNode,
  type Picture,
} from "@/flow";
import { useTeam } from "@/stores/team";
import { askForRoom } from "@/stores/newRoom";
import { useOpenProblems } from "@/stores/trust";
import { useUi } from "@/stores/ui";
import { findGroup, framesOf, marksOf, moveItems, nothing, sameMarks, stillThere, updateNote } from "@/topology";
import { duplicateTo, nameOf, snap } from "./actions";
import { sawNote } from "./arrange";
import { land, landing, withInside, type Landing, type Moved } from "./dragging";
import { isEveryone } from "./everyone";
import { groupName, sayTooDeep } from "./groups";
import { search, useSearch } from "./search";
import { ghostOf, settle, steer, watchHeld, type Places } from "./steering";
import { useGlide } from "./useGlide";
import { agentsIn, useRoomDrop } from "./useRoomDrop";

/** A team of more agents is a large one. */
const many = 200;
/** So long nobody has typed, in ms, when the lines of a large team learn the name. */
const pause = 250;
/** Where no frame is made, they learn after so many ms who was moved. */
const unseen = 100;

/** The team as React Flow wants it, and what its gestures mean for the draft and the selection. */
export function useTeamPicture() {
  const topology = useTeam((s) => s.topology),
    changes = useTeam((s) => s.changes),
    faces = useTeam((s) => s.faces),
    problems = useOpenProblems();
  const chosen = useUi((s) => s.chosen),
    highlight = useUi((s) => s.highlight);
  const words = useWords(),
    query = useDeferredValue(useSearch((s) => s.query));
  const dim = useMemo(() => search(topology, query)?.dim, [topology, query]);
  const [cache] = useState(newCache);
  const [, redraw] = useState(0);
  /** Nodes on their way during a drag; the draft learns where they went at its end. */
  const [dragged, setDragged] = useState<Moved | null>(null);
  const [copying, setCopying] = useState(false);
  const [sizing, setSizing] = useState<{ id: string; width: number; height: number } | null>(null);
  const gliding = useGlide();
  const store = useStoreApi();
  useEffect(() => watchHeld(setCopying), []);
  const held = useMemo(() => (dragged ? agentsIn(topology, dragged.keys()) : undefined), [dragged, topology]),
    room = useRoomDrop(held);

  // Undo, another window or a merge may take away what is chosen; it must not count on.
  useEffect(() => {
    const { chosen: now, choose } = useUi.getState(),
      left = stillThere(topology, now);
    if (left !== now) choose(left);
  }, [topology]);

  const found = useMemo(() => marksOf(changes), [changes]);
  const [marks, setMarks] = useState(found);
  const known = useMemo(() => found === marks || sameMarks(found, marks), [found, marks]);
  if (!known) setMarks(found);
  const picture = useMemo(
    () => ({ topology, marks, faces, chosen, problems, highlight, dim, words }),
    [topology, marks, faces, chosen, problems, highlight, dim, words],
  );
  const still = useMemo(() => toNodes(picture, cache), [picture, cache]);
  const moved = useMemo(
    () => (dragged ? withInside(topology, still, dragged) : gliding),
    [dragged, gliding, still, topology],
  );
  const nodes = useMemo(
    () =>
      copying && moved
        ? [
            ...still,
            ...still.flatMap((n) => {
              const p = moved.get(n.id);
              return p ? [ghostOf(n, p)] : [];
            }),
          ]
        : !moved && !sizing
          ? still
          : still.map((n) => {
              const p = moved?.get(n.id),
                sized = sizing?.id === n.id ? sizedTo(n, sizing) : n;
              return p ? { ...sized, position: p, dragging: !!dragged } : sized;
            }),
    [still, moved, dragged, sizing, copying],
  );
  const frames = useMemo(() => (topology.groups?.length ? framesOf(topology) : undefined), [topology]);
  const landed = useMemo(
    () => (dragged && frames && !copying ? landing(topology, frames, dragged) : undefined),
    [dragged, frames, topology, copying],
  );
  // A line says who its ends are. In a large team it may learn a moment later what is typed: the key comes first.
  const large = topology.agents.length > many,
    late = useDeferredValue(useAfterTyping(picture, large)),
    drawn = large ? late : picture;
  const edges = useMemo(() => toEdges(drawn, cache), [drawn, cache]);

  const onNodesChange = useCallback(
    (all: NodeChange<FlowNode>[]) => {
      const selects = all.filter((c) => c.type === "select");
      if (selects.length) select(selects, "nodes");
      const moves = all.filter((c) => c.type === "position" && c.dragging && c.position);
      if (moves.length)
        setDragged(
          steer(
            new Map(moves.flatMap((c) => (c.type === "position" && c.position ? [[c.id, c.position] as const] : []))),
            still,
            store.getState(),
          ),
        );
      for (const c of all) {
        if (c.type !== "dimensions" || !c.dimensions || !c.id.startsWith("note:")) continue;
        cache.sizes.set(c.id, c.dimensions);
        sawNote(c.id.slice(5), c.dimensions.height);
        const old = cache.nodes.get(c.id);
        if (old) cache.nodes.set(c.id, applyNodeChanges([c], [old])[0] ?? old);
        redraw((n) => n + 1);
      }
    },
    [cache, still, store],
  );

  const onDragEnd = useCallback(() => {
    const end = settle();
    setDragged(null);
    setCopying(false);
    if (!end) return;
    if (room) askForRoom(room);
    else if (end.copy) copyTo(end.at, still);
    else drop(still, end.at);
  }, [still, room]);

  const sizeNote = useCallback((id: string, size: { width: number; height: number }, done: boolean) => {
    setSizing(done ? null : { id: noteNodeId(id), ...size });
    if (done)
      useTeam
        .getState()
        .edit("edit.sizeNote", (d) => updateNote(d, id, { width: snap(size.width), height: snap(size.height) }));
  }, []);
  return {
    nodes,
    edges,
    onNodesChange,
    onDragEnd,
    sizeNote,
    landed: room ? undefined : landed,
    room,
    empty: !topology.agents.length && !topology.notes?.length,
  };
}

/** A note while its handle is dragged: as large as it will be. */
function sizedTo(n: FlowNode, { width, height }: { width: number; height: number }): FlowNode {
  return n.type === "note" ? { ...n, width, height, data: { ...n.data, note: { ...n.data.note, height } } } : n;
}

/** A picture, but while names are written and nothing else is new, the one from before; the last name comes after a pause. Where somebody was moved and nothing else is new, it comes after the frame in which that is seen. */
function useAfterTyping(picture: Picture, large: boolean): Picture {
  const [had, keep] = useState(picture);
  const waits = large && had !== picture && (renamed(had, picture) ? "typing" : shifted(had, picture) && "frame");
  if (had !== picture && !waits) keep(picture);
  useEffect(() => {
    if (!waits) return undefined;
    const now = () => keep(picture);
    let timer = setTimeout(now, waits === "typing" ? pause : unseen);
    const frame =
      waits === "frame"
        ? requestAnimationFrame(() => {
            clearTimeout(timer);
            timer = setTimeout(now);
          })
        : 0;
    return () => {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
    };
  }, [waits, picture]);
  return waits ? had : picture;
}

/** What a drag means: everything goes where it was dropped, frames with who is inside, and into the group it was dropped on. One step. */
function drop(still: readonly FlowNode[], at: Moved): void {
  const { topology: t, edit } = useTeam.getState();
  const from = new Map(still.map((n) => [n.id, n.position]));
  // A frame moves by whole steps, so that who is inside stays on the grid it was on.
  const snapped: Moved = new Map(
    [...at].map(([id, p]) => {
      const was = from.get(id);
      return [
        id,
        groupOfNode(id) !== undefined && was ? { x: was.x + snap(p.x - was.x), y: was.y + snap(p.y - was.y) } : p,
      ];
    }),
  );
  const all = [...withInside(t, still, snapped)],
    lands = t.groups?.length ? landing(t, framesOf(t), at) : undefined;
  const agents = Object.fromEntries(all.filter(([id]) => !id.includes(":"))),
    notes = Object.fromEntries(all.filter(([id]) => id.startsWith("note:")).map(([id, p]) => [id.slice(5), p]));
  const next = lands ? land(t, lands) : { topology: t, refused: false };
  if (next.refused) sayTooDeep();
  edit(dropLabel([...at.keys()], lands, next.topology !== t), () => moveItems(next.topology, { agents, notes }));
}

function dropLabel(nodes: string[], lands: Landing | undefined, regrouped: boolean): string {
  const [only] = nodes,
    { topology: t } = useTeam.getState();
  if (nodes.length > 1 || !only) return `edit.moveMany|${nodes.length}`;
  const group = findGroup(t, groupOfNode(only)),
    name = group ? groupName(group) : nameOf(only);
  const into = regrouped ? [...(lands?.agents ?? []), ...(lands?.groups ?? [])][0]?.[1] : undefined;
  if (regrouped) return into ? `edit.intoGroup|${name} → ${groupName(findGroup(t, into))}` : `edit.outOfGroup|${name}`;
  return only.startsWith("note:") ? "edit.moveNote" : `edit.move|${name}`;
}

/** A drag with Alt: what was dragged stays, and copies of it stand where it was dropped. */
function copyTo(at: Places, still: readonly FlowNode[]): void {
  const [first] = at,
    from = first && still.find((n) => n.id === first[0]);
  if (!first || !from) return;
  const ids = [...at.keys()],
    notes = ids.filter((id) => id.startsWith("note:")).map((id) => id.slice(5)),
    groups = ids.filter((id) => id.startsWith("group:")).map((id) => id.slice(6));
  duplicateTo(
    { ...nothing, agents: ids.filter((id) => !id.includes(":")), notes, groups },
    { x: first[1].x - from.position.x, y: first[1].y - from.position.y },
  );
}

type Select = { id: string; selected: boolean };

/** Carries React Flow's selection into ours, which is the true one. */
export function select(changes: readonly Select[], what: "nodes" | "edges"): void {
  const { chosen, choose } = useUi.getState();
  const agents = new Set(chosen.agents),
    notes = new Set(chosen.notes),
    connections = new Set(chosen.connections),
    groups = new Set(chosen.groups);
  let changed = false;
  for (const c of changes) {
    if (isEveryone(c.id)) {
      // What is chosen with a click on it, React Flow doesn't know. It only says that it is chosen no more.
      changed ||= !c.selected && !!chosen.everyone;
      continue;
    }
    const group = groupOfNode(c.id);
    const [set, id] =
      what === "edges"
        ? ([connections, c.id] as const)
        : group !== undefined
          ? ([groups, group] as const)
          : c.id.startsWith("note:")
            ? ([notes, c.id.slice(5)] as const)
            : ([agents, c.id] as const);
    if (c.selected === set.has(id)) continue;
    changed = true;
    if (c.selected) set.add(id);
    else set.delete(id);
  }
  if (changed) choose({ agents: [...agents], notes: [...notes], connections: [...connections], groups: [...groups] });
}

export { noteNodeId, type FlowEdge };
