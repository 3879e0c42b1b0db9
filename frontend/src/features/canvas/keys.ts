import type { useReactFlow } from "@xyflow/react";
import { isReplaced } from "@/stores/drift";
import { useTeam, type TeamData } from "@/stores/team";
import { useUi } from "@/stores/ui";
import { chosenCount, EVERYONE, KINDS, nothing, type Alignment, type AgentID, type Axis } from "@/topology";
import { lasting, type IdOf } from "@/ui";
import { deleteChosen, duplicateChosen, nudge, openReview, redo, selectAll, undo } from "./actions";
import { arrange, canAlign, canDistribute } from "./arrange";
import { backFromLine, followWay, stepLine, type Step } from "./follow";
import { setChosenKind, reverseChosen } from "./lines";
import { groupChosen, toggleFolded, toggleLock, ungroupChosen } from "./groups";
import { startConnecting } from "./connecting";
import { directions, type Direction } from "./walk";
import { fitOptions } from "@/flow";
import { editRoute, pickedRoute, removeRoute, stepRoute } from "./lane";
import { pickRoute } from "@/stores/routing";

/** What a key may need of the canvas that has the focus. */
export type Canvas = {
  flow: ReturnType<typeof useReactFlow>;
  add: (what: "agent" | "note") => void;
  /** Pastes as a menu does; the keys are the browser's. */
  paste: () => void;
  /** Opens the name of an agent, the label of a connection or the text of a note, in place. */
  write: (what: { agent: AgentID } | { connection: string } | { note: string } | { group: string }) => void;
};

/** The canvas as keys move about on it. */
export type KeyCanvas = Canvas & {
  /** The agent that has the focus. */
  focused: AgentID | undefined;
  /** The card of a channel that has the focus. */
  card: string | undefined;
  /** Chooses an agent, brings it into view and gives it the focus. */
  goTo: (agent: AgentID) => void;
  /** After what had the focus has gone: Tab goes on from where it was. */
  keepPlace: () => void;
  /** Shows a connection that was come to from an agent. */
  showStep: (step: Step) => void;
};

/** `n` is the place of the chord in its row of the shortcuts. False says that the key means nothing now. */
type Act = (c: KeyCanvas, n: number, e: KeyboardEvent) => unknown;

const chosen = () => useUi.getState().chosen;
const only = (what: "agents" | "connections" | "notes" | "groups") => {
  const c = chosen(),
    [one] = c[what];
  return c.agents.length + c.connections.length + c.notes.length + c.groups.length === 1 ? one : undefined;
};
const line =
  (...ways: Alignment[]): Act =>
  (_, n) =>
    canAlign(chosen()) && arrange({ align: ways[n]! });
const spread =
  (axis: Axis): Act =>
  () =>
    canDistribute(chosen()) && arrange({ distribute: axis });

const writeChosen: Act = ({ write }) => {
  if (editRoute()) return;
  const agent = only("agents"),
    connection = only("connections"),
    note = only("notes"),
    group = only("groups");
  if (group) write({ group });
  else if (agent) write({ agent });
  else if (connection) write({ connection });
  else if (note) write({ note });
  else return false;
};

const enter: Act = ({ write }, _, e) => {
  if ((e.target as HTMLElement).closest("button")) return false;
  if (chosen().everyone) {
    useUi.getState().askField(EVERYONE);
    return;
  }
  if (editRoute()) return;
  const note = only("notes");
  if (only("agents") || only("groups")) useUi.getState().askName();
  else if (note) write({ note });
  else return false;
};

const nudges =
  (step: number): Act =>
  (_c, _n, e) => {
    const { agents, notes, groups } = chosen(),
      d = directions[e.key as Direction];
    return agents.length || notes.length || groups.length ? nudge(d.x * step, d.y * step) : false;
  };

const remove: Act = ({ focused, goTo, keepPlace }) => {
  if (pickedRoute() && !chosenCount(chosen())) return removeRoute();
  if (!chosenCount(chosen()) || chosen().everyone) return false;
  const back = backFromLine(focused);
  deleteChosen();
  if (back) goTo(back);
  else keepPlace();
};
const step: Act = ({ focused, card, showStep }, n) => {
  if (card) return stepRoute(card, n ? -1 : 1);
  const s = stepLine(n ? -1 : 1, focused);
  if (!s) return false;
  showStep(s);
};
const follow: Act = ({ focused, goTo }, _, e) => {
  const next = followWay(e.key as Direction, focused);
  if (!next) return false;
  goTo(next);
};

/** From a connection that was come to by keys back to its agent; else nothing is chosen any more. */
const escape: Act = ({ focused, goTo }) => {
  const agent = backFromLine(focused);
  if (agent) goTo(agent);
  else {
    useUi.getState().choose(nothing);
    pickRoute(undefined);
  }
};

/**
 * The hub counts the changes with each save, so an edit that is still on its way may be one. A team without changes can
 * take the place of another one that was applied since.
 */
const reviewable = ({ unsent, save, busy }: TeamData) =>
  unsent > 0 || save.state !== "saved" || busy !== undefined || isReplaced();

/** What the shortcuts of the canvas do. Tab and the menu's key need the page around it. */
export const acts: Record<Exclude<IdOf<"canvas">, "walk" | "menu">, Act> = {
  undo: () => !!undo(),
  redo: () => !!redo(),
  review: () => {
    if (!reviewable(useTeam.getState())) return false;
    openReview();
  },
  follow,
  lines: step,
  inspect: enter,
  rename: writeChosen,
  move: nudges(8),
  moveFine: nudges(1),
  duplicate: () => !chosen().everyone && duplicateChosen(),
  remove,
  all: selectAll,
  alignSides: line("left", "centre", "right"),
  alignLevels: line("top", "middle", "bottom"),
  spreadX: spread("x"),
  spreadY: spread("y"),
  makeGroup: () => void groupChosen(),
  ungroup: () => ungroupChosen(),
  fold: toggleFolded,
  lock: () => toggleLock(),
  kind: (_, n) => setChosenKind(KINDS[n]!),
  reverse: reverseChosen,
  backToAgent: escape,
  addAgent: ({ add }) => add("agent"),
  addNote: ({ add }) => add("note"),
  connect: ({ card }) => {
    const agent = only("agents") ?? card;
    if (!agent) return false;
    startConnecting(agent, true);
  },
  select: () => useUi.getState().setTool("select"),
  hand: () => useUi.getState().setTool("hand"),
  fit: ({ flow }) => void flow.fitView(fitOptions()),
  zoomIn: ({ flow }) => void flow.zoomIn({ duration: lasting(160) }),
  zoomOut: ({ flow }) => void flow.zoomOut({ duration: lasting(160) }),
};
