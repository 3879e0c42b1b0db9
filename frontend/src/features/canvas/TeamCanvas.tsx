import { ReactFlow, useReactFlow, type OnConnectEnd } from "@xyflow/react";
import {
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type DragEvent,
  type FocusEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
} from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import {
  EdgeMarkers,
  edgeTypes,
  FarCanvas,
  FarContext,
  fitOptions,
  FlowActionsContext,
  groupNodeId,
  isRoute,
  KeepView,
  LineCanvas,
  nodeTypes,
  Paper,
  useCrowd,
  useLines,
  ZoomControl,
  type FlowActions,
  type FlowEdge,
  type FlowNode,
  type Lane,
} from "@/flow";
import { fetched } from "@/stores/fetched";
import { useTeam } from "@/stores/team";
import { useUi } from "@/stores/ui";
import { chosenCount, findAgent, nothing, updateNote, type AgentID, type Chosen } from "@/topology";
import { cx, EmptyState, useMedia } from "@/ui";
import { addAgentAt, addNoteAt, nameAgent, nameOf, undo } from "./actions";
import { AimBar, DropTip } from "./AimBar";
import { dropTarget, GroupTip } from "./GroupTip";
import { renameGroup, setFolded } from "./groups";
import { CanvasMenu } from "./menu/CanvasMenu";
import { BoxSelect } from "./BoxSelect";
import { CanvasToolbar, dragType, type NewThing } from "./CanvasToolbar";
import { ChangeBar } from "./ChangeBar";
import { aimAt, askKind, stopConnecting, useConnecting } from "./connecting";
import { fixed, middleButton } from "./fixed";
import { Guides } from "./Guides";
import { KindPicker } from "./KindPicker";
import { chooseFocused } from "./focus";
import { useEveryone } from "./everyone";
import { editRoute, takeLane, useBesideInView, useLane, useLaneShown } from "./lane";
import { chooseLine, lineOf, relabel } from "./lines";
import { useCanvasKeys } from "./useCanvasKeys";
import { useClipboard } from "./useClipboard";
import { useFingers } from "./useFingers";
import { useFocusBack } from "./useFocusBack";
import { useReveal } from "./useReveal";
import { agentAt } from "./view";
import { sightOf } from "./room";
import { SearchBar } from "./SearchBar";
import { useTeamPicture } from "./useTeamPicture";
import { useToName } from "./useToName";
import { useTypedAhead } from "./useTypedAhead";
import { useView } from "./useView";
import { walkOrder } from "./walk";

// They stand at the edges: the first picture doesn't wait for them.
const Minimap = fetched(() => import("@/flow/Minimap").then((m) => m.Minimap));
const Legend = fetched(() => import("./Legend").then((m) => m.Legend));

/** So many chosen things stay elements in a large team seen from far; more of them are drawn. */
const mostUsed = 12;
/** What is being written in place: one name, text or label at a time. */
type Writing = { agent?: AgentID; note?: string; connection?: string; group?: string };
const edit = useTeam.getState().edit;

const onConnectEnd: OnConnectEnd = (e, state) => {
  const { from: source, moving } = useConnecting.getState();
  if (moving) return;
  stopConnecting();
  const at = "changedTouches" in e ? e.changedTouches[0] : e;
  const target = state.isValid ? state.toNode?.id : at && agentAt(at.clientX, at.clientY);
  if (source && target && at && target !== source) askKind(source, target, { x: at.clientX, y: at.clientY });
};

/** The agent after another in reading order, or before it. */
function neighbour(agent: AgentID, back: boolean): AgentID | undefined {
  const { topology } = useTeam.getState(),
    order = walkOrder(topology).filter((id) => findAgent(topology, id));
  return order[order.indexOf(agent) + (back ? -1 : 1)];
}

const onPane = (e: { target: EventTarget | null }) => (e.target as HTMLElement).classList.contains("react-flow__pane");

type CanvasProps = {
  openTeam?: (text: string) => void;
  /** Works out the channels while they are shown. */ lane?: (onLane: (lane: Lane | undefined) => void) => ReactNode;
  /** Something is being written in place, or no longer. */ onWriting?: (on: boolean) => void;
};

/** The canvas on which a person edits the team. */
export function TeamCanvas({ openTeam, lane, onWriting }: CanvasProps) {
  const { t } = useTranslation();
  const area = useRef<HTMLElement>(null);
  const flow = useReactFlow<FlowNode, FlowEdge>();
  const phone = useMedia("(max-width: 639px)");
  const tool = useUi((s) => s.tool),
    minimap = useUi((s) => s.minimap),
    topology = useTeam((s) => s.topology);
  const { nodes: drawn, edges: drawnLines, onNodesChange, onDragEnd, sizeNote, landed, room, empty } = useTeamPicture();
  const laneShown = useLaneShown(),
    { nodes, edges, beside } = useBeside(drawn, drawnLines);
  useBesideInView(beside);
  const { from, targets, aimed, asking } = useConnecting();
  const base = useRef<Chosen>(nothing);
  const [firstFit] = useState(() => ({ ...fitOptions(), duration: 0 }));
  const view = useView(area, empty),
    [first] = useState(view.first);
  const [writing, setWriting] = useState<Writing>({});
  const chosen = useUi((s) => s.chosen);
  const used = useMemo(
    () =>
      [
        from,
        aimed,
        writing.agent,
        ...(chosenCount(chosen) <= mostUsed ? [...chosen.agents, ...chosen.groups.map(groupNodeId)] : []),
      ].filter((id) => id !== undefined),
    [from, aimed, writing.agent, chosen],
  );
  const { far, crowd, shown, seek, onPointer, onFocus: keepFocused } = useCrowd(nodes, used);
  const { onMoveEnd: keep } = view,
    onMoveEnd = useCallback(() => {
      seek();
      keep();
    }, [seek, keep]);
  const lines = useLines(nodes, edges, far, writing.connection);
  const onPointers = (e: PointerEvent) => {
    onPointer(e);
    lines.onPointer(e);
  };
  const endWriting = useCallback(() => setWriting({}), []);
  const ahead = useTypedAhead(area, writing, endWriting);
  const nameNext = useCallback((agent: AgentID, back: boolean) => {
    const next = neighbour(agent, back);
    if (!next) return;
    useUi.getState().choose({ agents: [next] });
    useUi.getState().revealAgents([next]);
    setWriting({ agent: next });
  }, []);
  const finger = useFingers(area, tool === "select" && !phone);
  useReveal(area);
  useToName(!phone, setWriting);
  useEffect(() => {
    onWriting?.(Object.keys(writing).length > 0);
  }, [writing, onWriting]);
  const backToNode = useFocusBack(area, writing);

  const actions = useMemo<FlowActions>(
    () => ({
      naming: writing.agent,
      noting: writing.note,
      labelling: writing.connection,
      targets,
      aimed,
      rename: nameAgent,
      endNaming: endWriting,
      nameNext,
      ahead,
      undo: () => void undo(),
      editNote: (id, text) =>
        edit("edit.note", (d) => updateNote(d, id, { text }), { coalesce: `note:${id}`, typing: true }),
      endNoting: endWriting,
      label: (connection) => {
        if (isRoute(connection)) editRoute();
        else setWriting({ connection });
      },
      choose: chooseLine,
      relabel,
      endLabelling: endWriting,
      ...(phone ? {} : { sizeNote, fold: setFolded, startFraming: (group: string) => setWriting({ group }) }),
      framing: writing.group,
      renameGroup,
      endFraming: endWriting,
      dropInto: dropTarget(landed),
    }),
    [writing, targets, aimed, endWriting, nameNext, ahead, sizeNote, landed, phone],
  );

  const add = useCallback(
    (what: NewThing, at?: { x: number; y: number }) => {
      const r = area.current?.getBoundingClientRect();
      const p = flow.screenToFlowPosition(
        at ?? { x: (r?.left ?? 0) + (r?.width ?? 0) / 2, y: (r?.top ?? 0) + (r?.height ?? 0) / 2 },
      );
      // At once: an input method begins its word with the next key, and only where a field has the focus.
      flushSync(() => {
        const spot = { centre: p, pointed: !!at, sight: sightOf(flow, area.current) };
        const made = what === "note" ? { note: addNoteAt(spot) } : { agent: addAgentAt(spot) };
        useUi.getState().revealAgents([made.agent ?? `note:${made.note}`]);
        setWriting(made);
      });
    },
    [flow],
  );
  const write = useCallback((what: Writing) => {
    const line = what.connection && lineOf(useTeam.getState().topology, what.connection);
    // Far away, or out of view, a line has no label to write in.
    if (line && !area.current?.querySelector(`.react-flow__edge[data-id="${CSS.escape(what.connection ?? "")}"]`))
      useUi.getState().revealAgents([line.from, line.to]);
    if (what.agent && !area.current?.querySelector(`.react-flow__node[data-id="${CSS.escape(what.agent)}"]`))
      useUi.getState().revealAgents([what.agent]);
    setWriting(what);
  }, []);
  const paste = useClipboard({ area, enabled: !phone, openTeam });
  useCanvasKeys({ area, enabled: !phone && !asking, write, add, paste });

  const onFocus = (e: FocusEvent) => {
    const el = e.target as HTMLElement;
    if (el.dataset.id) keepFocused(el.dataset.id);
    chooseFocused(el);
  };
  const onEdgeDoubleClick = useCallback(
    (_: MouseEvent, e: FlowEdge) => {
      if (phone) return;
      if (isRoute(e.id)) editRoute();
      else setWriting({ connection: e.id });
    },
    [phone],
  );
  const onNodeDoubleClick = useCallback(
    (_: MouseEvent, n: FlowNode) => {
      if (phone) return;
      if (n.type === "agent") setWriting({ agent: n.id });
      else if (n.type === "note") setWriting({ note: n.data.note.id });
      else if (n.type === "folded") setFolded(n.data.group.id, false);
    },
    [phone],
  );
  /** What the first press of a double click was on may be gone at the second, which then comes to the canvas. */
  const pressed = useRef(false);
  useEffect(() => {
    const see = (e: globalThis.MouseEvent) => {
      if (e.detail === 1) pressed.current = onPane(e);
    };
    document.addEventListener("mousedown", see, true);
    return () => document.removeEventListener("mousedown", see, true);
  }, []);
  const onDoubleClick = (e: MouseEvent) => {
    if (pressed.current && onPane(e) && !phone) add("agent", { x: e.clientX, y: e.clientY });
  };
  const onDrop = (e: DragEvent) => {
    const what = e.dataTransfer.getData(dragType);
    if (what !== "agent" && what !== "note") return;
    e.preventDefault();
    add(what, { x: e.clientX, y: e.clientY });
  };

  return (
    <section
      ref={area}
      className="canvas"
      aria-label={t("canvas.label")}
      data-tool={tool}
      data-connecting={from ? "" : undefined}
      data-readonly={phone ? "" : undefined}
      data-crowd={crowd ? "" : undefined}
      data-lines={lines.drawn.length ? "" : undefined}
      onPointerMoveCapture={onPointers}
      onPointerDownCapture={(e) => {
        onPointers(e);
        base.current = e.shiftKey ? useUi.getState().chosen : nothing;
      }}
      onFocus={onFocus}
      onKeyDownCapture={backToNode}
      onDoubleClick={onDoubleClick}
      onDrop={onDrop}
      onDragOver={(e) => {
        if (e.dataTransfer.types.includes(dragType)) e.preventDefault();
      }}
      onPointerMove={from ? (e) => aimAt(agentAt(e.clientX, e.clientY)) : undefined}
    >
      <FlowActionsContext value={actions}>
        <FarContext value={far}>
          <EdgeMarkers />
          <CanvasMenu disabled={phone} write={write} add={add} paste={paste}>
            <ReactFlow<FlowNode, FlowEdge>
              {...fixed}
              nodes={shown}
              edges={lines.elements}
              nodeTypes={nodeTypes}
              edgeTypes={edgeTypes}
              {...first}
              fitViewOptions={firstFit}
              onInit={firstFrame}
              onMoveStart={view.onMoveStart}
              onMoveEnd={onMoveEnd}
              onNodesChange={onNodesChange}
              onNodeDragStop={onDragEnd}
              onSelectionDragStop={onDragEnd}
              onEdgeDoubleClick={onEdgeDoubleClick}
              onNodeDoubleClick={onNodeDoubleClick}
              onConnectEnd={onConnectEnd}
              autoPanOnNodeDrag={!room}
              nodesDraggable={!phone && tool === "select"}
              nodesConnectable={!phone}
              panOnDrag={tool === "hand" || phone ? true : finger ? false : middleButton}
              selectionOnDrag={tool === "select" && !phone}
            >
              {!crowd && <Paper />}
              <BoxSelect base={base} />
              <Guides />
              {/* With the channels, a panel leaves so little room that it would hide the team. */}
              <KeepView fit={firstFit} panes={laneShown} />
              {far ? (
                <FarCanvas nodes={nodes} edges={edges} crowd={crowd} />
              ) : (
                lines.drawn.length > 0 && <LineCanvas nodes={lines.ground} edges={lines.drawn} />
              )}
            </ReactFlow>
          </CanvasMenu>
        </FarContext>
      </FlowActionsContext>
      {laneShown && lane && <Suspense>{lane(takeLane)}</Suspense>}
      {crowd && <p className="sr-only">{t("canvas.crowd", { count: topology.agents.length })}</p>}
      {empty && (
        <div className="pointer-events-none absolute inset-0 grid place-items-center">
          <EmptyState title={t("canvas.empty")}>{t("canvas.emptyWhy")}</EmptyState>
        </div>
      )}
      {!phone && <CanvasToolbar onAdd={add} />}
      <Suspense>{minimap && !phone && <Minimap nodes={nodes} label={t("canvas.minimap")} />}</Suspense>
      <ZoomControl />
      <ChangeBar phone={phone} />
      <Suspense>{!phone && <Legend />}</Suspense>
      <SearchBar />
      <AimBar />
      <DropTip area={area} />
      <GroupTip landed={landed} room={room} />
      <KindPicker area={area} />
      <span className={cx("sr-only")} aria-live="polite">
        {aimed ? nameOf(aimed) : ""}
      </span>
    </section>
  );
}

/** The team, and what stands beside it: the channels, and what every agent inherits. */
function useBeside(nodes: FlowNode[], edges: FlowEdge[]) {
  const lane = useLane((s) => s.lane),
    everyone = useEveryone();
  return useMemo(() => {
    const beside = everyone ? [...lane.nodes, everyone] : lane.nodes;
    return {
      nodes: beside.length ? [...beside, ...nodes] : nodes,
      edges: lane.edges.length ? [...edges, ...lane.edges] : edges,
      beside: beside.map((n) => n.id).join("\n"),
    };
  }, [lane, everyone, nodes, edges]);
}

let marked = false;
/** The canvas with its nodes has been painted for the first time. */
function firstFrame(): void {
  if (marked) return;
  marked = true;
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      performance.mark("agentflow:first-frame");
      useUi.setState({ painted: true });
    }),
  );
}
