import {
  AlignCenterHorizontal,
  AlignCenterVertical,
  AlignEndHorizontal,
  AlignEndVertical,
  AlignHorizontalDistributeCenter,
  AlignHorizontalSpaceAround,
  AlignStartHorizontal,
  AlignStartVertical,
  AlignVerticalSpaceAround,
  ArrowLeftRight,
  Bot,
  ClipboardList,
  ClipboardPaste,
  Copy,
  CopyPlus,
  Group,
  LockKeyhole,
  LockKeyholeOpen,
  Maximize,
  MessageSquare,
  MessagesSquare,
  Maximize2,
  Minimize2,
  PanelRight,
  Pencil,
  Play,
  Scissors,
  ScrollText,
  Spline,
  Square,
  StickyNote,
  Tag,
  Trash2,
  Ungroup,
  Workflow,
  type LucideIcon,
} from "lucide-react";
import { fitOptions, KindGlyph } from "@/flow";
import { attempt } from "@/stores/faults";
import { canRunHere, isUp, localAgentActions } from "@/stores/localAgents";
import { showLog } from "@/stores/logPlace";
import { useHub } from "@/stores/hub";
import { askForRoom } from "@/stores/newRoom";
import { setSnapping } from "@/stores/settings";
import { askForTask } from "@/stores/taskDraft";
import { chatWith } from "@/stores/talkPlace";
import { useUi } from "@/stores/ui";
import {
  ALIGNMENTS,
  allLocked,
  AXES,
  drawnKind,
  EVERYONE,
  findGroup,
  heldOf,
  insideOf,
  KINDS,
  type AgentID,
  type Alignment,
  type Axis,
  type Chosen,
  type Topology,
} from "@/topology";
import { keysOf, type MenuItem } from "@/ui";
import { deleteChosen, duplicateChosen, layOut, layOutChosen, selectAll } from "../actions";
import { arrange, canAlign, canDistribute } from "../arrange";
import { copyByMenu } from "../clipboard";
import { startConnecting } from "../connecting";
import { canGroup, deleteWithAgents, groupChosen, setFolded, toggleLock, ungroupChosen } from "../groups";
import type { Canvas } from "../keys";
import { backwards, changeLine, lineOf, mayBecome, reverse } from "../lines";

export type Say = (key: string, values?: Record<string, unknown>) => string;

export const alignIcon: Record<Alignment, LucideIcon> = {
  left: AlignStartVertical,
  centre: AlignCenterVertical,
  right: AlignEndVertical,
  top: AlignStartHorizontal,
  middle: AlignCenterHorizontal,
  bottom: AlignEndHorizontal,
};
/** Alignments as the shortcuts have them: sides first, then levels. */
export const alignKeys = (how: Alignment) => {
  const n = ALIGNMENTS.indexOf(how);
  return n < 3 ? keysOf("alignSides", n) : keysOf("alignLevels", n - 3);
};
export const spreadIcon: Record<Axis, LucideIcon> = { x: AlignHorizontalSpaceAround, y: AlignVerticalSpaceAround };
export const spreadKeys = (axis: Axis) => keysOf(axis === "x" ? "spreadX" : "spreadY");

const separator: MenuItem = { kind: "separator" };
const remove = (t: Say): MenuItem[] => [
  separator,
  { label: t("common.delete"), icon: Trash2, keys: keysOf("remove"), danger: true, onSelect: deleteChosen },
];
/** Cut, copy and duplicate. */
const copying = (t: Say): MenuItem[] => [
  { label: t("clip.cut"), icon: Scissors, keys: keysOf("clip", 1), onSelect: () => void copyByMenu(true) },
  { label: t("clip.copy"), icon: Copy, keys: keysOf("clip"), onSelect: () => void copyByMenu() },
  { label: t("common.duplicate"), icon: CopyPlus, keys: keysOf("duplicate"), onSelect: duplicateChosen },
];

export function agentItems(t: Say, topology: Topology, id: AgentID, { write }: Canvas): MenuItem[] {
  return [
    {
      label: t("canvas.rename"),
      icon: Pencil,
      keys: keysOf("rename"),
      takesFocus: true,
      onSelect: () => write({ agent: id }),
    },
    {
      label: t("canvas.inspect"),
      icon: PanelRight,
      keys: keysOf("inspect"),
      takesFocus: true,
      onSelect: () => useUi.getState().askName(),
    },
    { label: t("canvas.connect"), icon: Spline, keys: keysOf("connect"), onSelect: () => startConnecting(id, true) },
    { label: t("work.give"), icon: ClipboardList, onSelect: () => askForTask(id) },
    { label: t("canvas.chat"), icon: MessageSquare, onSelect: () => chatWith(id) },
    roomItem(t, [id]),
    ...hereItems(t, id),
    separator,
    groupItem(t),
    lockItem(t, topology),
    separator,
    ...copying(t),
    ...remove(t),
  ];
}

/** Items that start and stop the agent as a local process, if it can be one. */
function hereItems(t: Say, id: AgentID): MenuItem[] {
  if (!canRunHere(id)) return [];
  const here = useHub.getState().localAgents.agents.find((a) => a.id === id),
    up = isUp(here);
  return [
    separator,
    up
      ? {
          label: t("here.stopProcess"),
          icon: Square,
          disabled: here?.state === "stopping",
          onSelect: () => void attempt("stopAgent", () => localAgentActions.stop(id)),
        }
      : {
          label: t("here.startProcess"),
          icon: Play,
          onSelect: () => void attempt("startAgent", () => localAgentActions.start(id)),
        },
    ...(here ? [{ label: t("here.showLog"), icon: ScrollText, onSelect: () => showLog(id) }] : []),
  ];
}

/** What the node of everyone offers. It can't be copied, grouped, locked or deleted. */
export const everyoneItems = (t: Say): MenuItem[] => [
  {
    label: t("canvas.inspect"),
    icon: PanelRight,
    keys: keysOf("inspect"),
    takesFocus: true,
    onSelect: () => useUi.getState().askField(EVERYONE),
  },
];

export function noteItems(t: Say, topology: Topology, id: string, { write }: Canvas): MenuItem[] {
  return [
    {
      label: t("canvas.writeNote"),
      icon: Pencil,
      keys: keysOf("inspect"),
      takesFocus: true,
      onSelect: () => write({ note: id }),
    },
    separator,
    lockItem(t, topology),
    separator,
    ...copying(t),
    ...remove(t),
  ];
}

export function severalItems(t: Say, topology: Topology, chosen: Chosen): MenuItem[] {
  const line = (how: Alignment): MenuItem => ({
    label: t(`canvas.align.${how}`),
    icon: alignIcon[how],
    keys: alignKeys(how),
    onSelect: () => arrange({ align: how }),
  });
  const spread = (axis: Axis): MenuItem => ({
    label: t(`canvas.distribute.${axis}`),
    icon: spreadIcon[axis],
    keys: spreadKeys(axis),
    disabled: !canDistribute(chosen),
    onSelect: () => arrange({ distribute: axis }),
  });
  const movable = chosen.agents.length + chosen.notes.length + chosen.groups.length > 0;
  return [
    ...(canAlign(chosen)
      ? [
          {
            kind: "sub",
            label: t("canvas.align.title"),
            icon: AlignStartVertical,
            items: ALIGNMENTS.map(line),
          } satisfies MenuItem,
          {
            kind: "sub",
            label: t("canvas.distribute.title"),
            icon: AlignHorizontalDistributeCenter,
            disabled: !canDistribute(chosen),
            items: AXES.map(spread),
          } satisfies MenuItem,
        ]
      : []),
    ...(chosen.agents.length + chosen.groups.length > 0
      ? [{ label: t("canvas.layOutChosen"), icon: Workflow, onSelect: layOutChosen }]
      : []),
    ...(canGroup(chosen) ? [separator, groupItem(t)] : []),
    ...(chosen.groups.length
      ? [{ label: t("group.ungroup"), icon: Ungroup, keys: keysOf("ungroup"), onSelect: () => ungroupChosen() }]
      : []),
    ...(chosen.agents.length + chosen.groups.length > 0
      ? [
          separator,
          roomItem(t, [...new Set([...chosen.agents, ...chosen.groups.flatMap((g) => insideOf(topology, g))])]),
        ]
      : []),
    ...(movable ? [lockItem(t, topology), separator, ...copying(t)] : []),
    ...remove(t),
  ];
}

export function connectionItems(t: Say, topology: Topology, key: string, { write }: Canvas): MenuItem[] {
  const c = lineOf(topology, key);
  if (!c) return [];
  const kinds: string[] = (KINDS as readonly string[]).includes(c.kind) ? [...KINDS] : [...KINDS, c.kind];
  return [
    {
      label: t("canvas.writeLabel"),
      icon: Tag,
      keys: keysOf("label"),
      takesFocus: true,
      onSelect: () => write({ connection: key }),
    },
    {
      label: t("inspector.reverse"),
      icon: ArrowLeftRight,
      keys: keysOf("reverse"),
      disabled: !mayBecome(topology, c, backwards(c)),
      onSelect: () => void reverse(c),
    },
    separator,
    { kind: "label", label: t("field.kind") },
    ...kinds.map((kind, i): MenuItem => ({
      kind: "toggle",
      label: drawnKind(kind) === "unknown" ? kind : t(`kind.${kind}`),
      lead: <KindGlyph kind={drawnKind(kind)} />,
      keys: keysOf("kind", i) || undefined,
      checked: kind === c.kind,
      disabled: kind !== c.kind && !mayBecome(topology, c, { ...c, kind }),
      onSelect: () => void changeLine(c, { kind }),
    })),
    ...remove(t),
  ];
}

/** Which helps of the canvas are shown. */
export type Shown = { minimap: boolean; legend: boolean; snapping: boolean };

export function canvasItems(t: Say, { minimap, legend, snapping }: Shown, { add, flow, paste }: Canvas): MenuItem[] {
  const { toggle } = useUi.getState();
  return [
    { label: t("clip.paste"), icon: ClipboardPaste, keys: keysOf("paste"), onSelect: paste },
    separator,
    { label: t("canvas.addAgent"), icon: Bot, keys: keysOf("addAgent"), onSelect: () => add("agent") },
    {
      label: t("canvas.addNote"),
      icon: StickyNote,
      keys: keysOf("addNote"),
      takesFocus: true,
      onSelect: () => add("note"),
    },
    separator,
    {
      label: t("canvas.selectAll"),
      keys: keysOf("all"),
      lead: <span className="w-4 flex-none" />,
      onSelect: selectAll,
    },
    { label: t("canvas.layOut"), icon: Workflow, onSelect: () => void layOut() },
    { label: t("canvas.fit"), icon: Maximize, keys: keysOf("fit"), onSelect: () => void flow.fitView(fitOptions()) },
    separator,
    { kind: "toggle", label: t("canvas.snapping"), checked: snapping, onSelect: () => void setSnapping(!snapping) },
    { kind: "toggle", label: t("canvas.minimap"), checked: minimap, onSelect: () => toggle("minimap") },
    { kind: "toggle", label: t("canvas.legend"), checked: legend, onSelect: () => toggle("legend") },
  ];
}

/** What a group's frame offers. */
export function groupItems(t: Say, topology: Topology, id: string, { write }: Canvas): MenuItem[] {
  const g = findGroup(topology, id),
    folded = !!g?.collapsed;
  if (!g) return [];
  return [
    {
      label: t("canvas.rename"),
      icon: Pencil,
      keys: keysOf("rename"),
      takesFocus: true,
      onSelect: () => write({ group: id }),
    },
    {
      label: t(folded ? "group.unfold" : "group.fold"),
      icon: folded ? Maximize2 : Minimize2,
      keys: keysOf("fold"),
      onSelect: () => setFolded(id, !folded),
    },
    { label: t("group.ungroup"), icon: Ungroup, keys: keysOf("ungroup"), onSelect: () => ungroupChosen([id]) },
    { label: t("canvas.layOutChosen"), icon: Workflow, onSelect: layOutChosen },
    roomItem(t, insideOf(topology, id)),
    lockItem(t, topology),
    separator,
    ...copying(t),
    separator,
    { label: t("group.delete"), icon: Trash2, keys: keysOf("remove"), danger: true, onSelect: deleteChosen },
    {
      label: t("group.deleteWith", { count: insideOf(topology, id).length }),
      icon: Trash2,
      danger: true,
      disabled: !canDeleteWith(topology, id),
      onSelect: () => deleteWithAgents(id),
    },
  ];
}

const canDeleteWith = (topology: Topology, id: string) => !heldOf(topology).groups.has(id);
function lockItem(t: Say, topology: Topology): MenuItem {
  const locked = allLocked(topology, useUi.getState().chosen);
  return {
    label: t(locked ? "lock.unlock" : "lock.lock"),
    icon: locked ? LockKeyholeOpen : LockKeyhole,
    keys: keysOf("lock"),
    onSelect: () => void toggleLock(),
  };
}
/** A room of these agents; its name is asked for there. */
const roomItem = (t: Say, agents: readonly AgentID[]): MenuItem => ({
  label: t("canvas.asRoom"),
  icon: MessagesSquare,
  takesFocus: true,
  disabled: agents.length === 0,
  onSelect: () => askForRoom(agents),
});
const groupItem = (t: Say): MenuItem => ({
  label: t("group.group"),
  icon: Group,
  keys: keysOf("makeGroup"),
  takesFocus: true,
  onSelect: () => void groupChosen(),
});
