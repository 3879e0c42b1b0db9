import type { useReactFlow } from "@xyflow/react";
import { useDrawing, type DrawingData } from "@/stores/drawing";
import { useUi } from "@/stores/ui";
import { chosenCount, KINDS, nothing, type Alignment, type AgentID, type Axis } from "@/topology";
import { lasting, mod } from "@/ui";
import { deleteChosen, duplicateChosen, nudge, openReview, redo, selectAll, undo } from "./actions";
import { arrange, canAlign, canDistribute } from "./arrange";
import { backFromLine, followWay, stepLine, type Step } from "./follow";
import { setChosenKind, reverseChosen } from "./lines";
import { groupChosen, toggleFolded, toggleLock, ungroupChosen } from "./groups";
import { startConnecting } from "./connecting";
import { directions, type Direction } from "./walk";
import { fitOptions } from "@/flow";

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
  /** Chooses an agent, brings it into view and gives it the focus. */
  goTo: (agent: AgentID) => void;
  /** After what had the focus has gone: Tab goes on from where it was. */
  keepPlace: () => void;
  /** Shows a connection that was come to from an agent. */
  showStep: (step: Step) => void;
};

/** False says that the key means nothing now, so that the page may have it. */
type Act = (c: KeyCanvas) => unknown;

const chosen = () => useUi.getState().chosen;
const only = (what: "agents" | "connections" | "notes" | "groups") => {
  const c = chosen(),
    [one] = c[what];
  return c.agents.length + c.connections.length + c.notes.length + c.groups.length === 1 ? one : undefined;
};
const line =
  (how: Alignment): Act =>
  () =>
    canAlign(chosen()) && arrange({ align: how });
const spread =
  (axis: Axis): Act =>
  () =>
    canDistribute(chosen()) && arrange({ distribute: axis });

const writeChosen: Act = ({ write }) => {
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

const enter: Act = ({ write }) => {
  const note = only("notes");
  if (only("agents") || only("groups")) useUi.getState().askField("name");
  else if (note) write({ note });
  else return false;
};

const nudges: Record<string, Act> = Object.fromEntries(
  Object.entries(directions).flatMap(([key, d]) =>
    [
      ["", 8],
      ["Shift+", 1],
    ].map(([shift, step]) => [
      `${shift}${key}`,
      () =>
        chosen().agents.length || chosen().notes.length || chosen().groups.length
          ? nudge(d.x * Number(step), d.y * Number(step))
          : false,
    ]),
  ),
);

const remove: Act = ({ focused, goTo, keepPlace }) => {
  if (!chosenCount(chosen())) return false;
  const back = backFromLine(focused);
  deleteChosen();
  if (back) goTo(back);
  else keepPlace();
};
const step =
  (by: 1 | -1): Act =>
  ({ focused, showStep }) => {
    const s = stepLine(by, focused);
    if (!s) return false;
    showStep(s);
  };
const follows: Record<string, Act> = Object.fromEntries(
  (Object.keys(directions) as Direction[]).map((way) => [
    `Alt+${way}`,
    ({ focused, goTo }: KeyCanvas) => {
      const next = followWay(way, focused);
      if (!next) return false;
      goTo(next);
    },
  ]),
);

/** From a connection that was come to by keys back to its agent; else nothing is chosen any more. */
const escape: Act = ({ focused, goTo }) => {
  const agent = backFromLine(focused);
  if (agent) goTo(agent);
  else useUi.getState().choose(nothing);
};

/** The hub counts the changes with each save, so an edit that is still on its way may be one. */
const reviewable = ({ unsent, save, busy }: DrawingData) => unsent > 0 || save.state !== "saved" || busy !== undefined;

/** Keys that act wherever the focus is, but for a field. */
export const anywhere: Record<string, Act | undefined> = {
  "Mod+Z": () => !!undo(),
  "Mod+Shift+Z": () => !!redo(),
  "Mod+Y": () => !!redo(),
  "Mod+Enter": () => {
    if (!reviewable(useDrawing.getState())) return false;
    openReview();
  },
};

/** Keys that act on the canvas, by chord as menus write it. */
export const onCanvas: Record<string, Act | undefined> = {
  ...nudges,
  ...follows,
  L: step(1),
  "Shift+L": step(-1),
  "Mod+A": selectAll,
  "Mod+D": duplicateChosen,
  Delete: remove,
  Backspace: remove,
  Escape: escape,
  "0": ({ flow }) => void flow.fitView(fitOptions()),
  "+": ({ flow }) => void flow.zoomIn({ duration: lasting(160) }),
  "=": ({ flow }) => void flow.zoomIn({ duration: lasting(160) }),
  "-": ({ flow }) => void flow.zoomOut({ duration: lasting(160) }),
  V: () => useUi.getState().setTool("select"),
  H: () => useUi.getState().setTool("hand"),
  A: ({ add }) => add("agent"),
  N: ({ add }) => add("note"),
  C: () => {
    const agent = only("agents");
    if (!agent) return false;
    startConnecting(agent, true);
  },
  "Mod+G": () => void groupChosen(),
  "Mod+Shift+G": () => ungroupChosen(),
  "Mod+Shift+L": () => toggleLock(),
  F: toggleFolded,
  F2: writeChosen,
  Enter: enter,
  R: reverseChosen,
  ...Object.fromEntries(KINDS.map((kind, i) => [String(i + 1), () => setChosenKind(kind)])),
  "Alt+A": line("left"),
  "Alt+H": line("centre"),
  "Alt+D": line("right"),
  "Alt+W": line("top"),
  "Alt+V": line("middle"),
  "Alt+S": line("bottom"),
  "Alt+Shift+H": spread("x"),
  "Alt+Shift+V": spread("y"),
};

/** The chord of a key press, as the tables and the menus write it. */
export function chordOf(e: KeyboardEvent): string {
  // With Alt a Mac types another letter, so there the place on the keyboard counts.
  const letter =
    e.altKey && /^Key[A-Z]$/.test(e.code) ? e.code.slice(3) : e.key.length === 1 ? e.key.toUpperCase() : e.key;
  const shift = e.shiftKey && (letter.length > 1 || /^[A-Z]$/.test(letter));
  const other = (e.ctrlKey || e.metaKey) && !mod(e) ? "Other+" : "";
  return `${other}${mod(e) ? "Mod+" : ""}${e.altKey ? "Alt+" : ""}${shift ? "Shift+" : ""}${letter}`;
}
