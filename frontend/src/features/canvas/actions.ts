import { i18next } from "@/i18n";
import { useTeam } from "@/stores/team";
import { whileTeamUndoes } from "@/stores/undoOffer";
import { attempt } from "@/stores/faults";
import { modelForNew } from "@/stores/models";
import { redo, undo } from "@/stores/reach";
import { useUi } from "@/stores/ui";
import {
  addAgent,
  addNote,
  chosenCount,
  connect,
  displayName,
  duplicate,
  findAgent,
  findGroup,
  frameAt,
  framesOf,
  freeId,
  freeKind,
  freeSpot,
  heldOf,
  insideOf,
  LINE_ROOM,
  loose,
  moveItems,
  NODE_H,
  NODE_W,
  NOTE_W,
  noteId,
  nothing,
  putInto,
  idFor,
  removeChosen,
  renameAgent,
  updateAgents,
  type AgentID,
  type Box,
  type Chosen,
  type ConnectionRef,
  type Point,
} from "@/topology";
import { toast } from "@/ui";
import { leastNote } from "./arrange";
import { groupName, sayLocked } from "./groups";
import { roomFor, type Sight } from "./room";

// What the canvas does, without a place on the screen: keys, buttons, menus and the palette all call these.

const draft = () => useTeam.getState().topology;
const edit = useTeam.getState().edit;
const t = i18next.t.bind(i18next);
export const nameOf = (id: AgentID) => displayName(findAgent(draft(), id) ?? { id });
export const pairName = (c: { from: AgentID; to: AgentID }) => `${nameOf(c.from)} → ${nameOf(c.to)}`;

/** Where something new goes: its middle at that point if there is room, and with `pointed` into the group there. */
export type Spot = { centre: Point; pointed?: boolean; sight?: Sight };

/** Adds an agent there, or at the nearest free place. */
export function addAgentAt({ centre, pointed, sight }: Spot): AgentID {
  const topology = draft();
  const id = freeId(topology, "agent", useTeam.getState().takenIds);
  const name = t("canvas.newAgent", { n: /\d+$/.exec(id)?.[0] ?? "" });
  const into = pointed ? frameAt(topology, framesOf(topology), centre) : undefined;
  const at = freeSpot(roomFor(sight, into), around(centre, NODE_W, NODE_H), pointed ? undefined : LINE_ROOM);
  const model = modelForNew();
  edit(`edit.addAgent|${name}`, (d) => {
    const added = addAgent(d, model ? { id, name, model } : { id, name }, at);
    return into ? putInto(added, [id], into) : added;
  });
  useUi.getState().choose({ agents: [id] });
  return id;
}

/** Names an agent. Until the gateway knows it, an id that was made for it follows the name. Returns its id. */
export function nameAgent(id: AgentID, name: string): AgentID {
  const { base, takenIds } = useTeam.getState(),
    known = base?.topology.agents.some((a) => a.id === id);
  const to = known || !name ? id : idFor(draft(), id, name, takenIds);
  edit(`edit.name|${name || id}`, (d) => {
    const named = updateAgents(d, [id], { name });
    return to === id ? named : renameAgent(named, id, to);
  });
  if (to !== id) useUi.getState().choose({ agents: [to] });
  return to;
}

/** Adds a note there, or at the nearest free place. */
export function addNoteAt({ centre, pointed, sight }: Spot): string {
  const id = noteId(),
    over = pointed ? frameAt(draft(), framesOf(draft()), centre) : undefined;
  const { x, y } = freeSpot(roomFor(sight, over), around(centre, NOTE_W, leastNote));
  edit("edit.addNote", (d) => addNote(d, { id, text: "", x, y }));
  useUi.getState().choose({ notes: [id] });
  return id;
}

export const snap = (n: number) => Math.round(n / 8) * 8;
const around = (c: Point, w: number, h: number): Box => ({ x: snap(c.x - w / 2), y: snap(c.y - h / 2), w, h });

export function moveTo(agents: Record<AgentID, Point>, notes: Record<string, Point>, coalesce?: string): void {
  const ids = Object.keys(agents),
    n = ids.length + Object.keys(notes).length;
  if (!n) return;
  edit(
    n === 1 && ids[0] ? `edit.move|${nameOf(ids[0])}` : `edit.moveMany|${n}`,
    (d) => moveItems(d, { agents, notes }),
    { coalesce, typing: !!coalesce },
  );
}

export function nudge(dx: number, dy: number): void {
  const { chosen } = useUi.getState(),
    d = draft();
  const held = heldOf(d).groups,
    inside = chosen.groups.filter((g) => !held.has(g)).flatMap((g) => insideOf(d, g));
  const agents = Object.fromEntries(
    [...new Set([...chosen.agents, ...inside])].map((id) => {
      const p = d.layout?.[id] ?? { x: 0, y: 0 };
      return [id, { x: p.x + dx, y: p.y + dy }];
    }),
  );
  const notes = Object.fromEntries(
    (d.notes ?? []).filter((n) => chosen.notes.includes(n.id)).map((n) => [n.id, { x: n.x + dx, y: n.y + dy }]),
  );
  moveTo(agents, notes, `nudge:${[...chosen.agents, ...chosen.notes, ...chosen.groups].join(",")}`);
}

export function deleteChosen(): void {
  const { chosen: all, choose } = useUi.getState();
  if (all.everyone) return;
  const chosen = loose(draft(), all),
    n = chosenCount(chosen);
  if (n < chosenCount(all)) {
    const kept = {
      agents: all.agents.filter((id) => !chosen.agents.includes(id)),
      notes: all.notes.filter((id) => !chosen.notes.includes(id)),
      groups: all.groups.filter((id) => !chosen.groups.includes(id)),
      connections: [],
    };
    sayLocked(kept);
    if (!n) return;
  }
  const only =
    n > 1
      ? undefined
      : chosen.agents[0]
        ? nameOf(chosen.agents[0])
        : chosen.groups[0]
          ? groupName(findGroup(draft(), chosen.groups[0]))
          : undefined;
  const label = only ? `edit.delete|${only}` : `edit.deleteMany|${n}`;
  edit(label, (d) => removeChosen(d, chosen));
  choose(nothing);
  if (n < chosenCount(all)) return;
  toast({
    text: t("gesture.deleted", { count: n }),
    closeLabel: t("common.close"),
    action: { label: t("common.undo"), run: () => void undo() },
    while: whileTeamUndoes(label),
  });
}

/** Copies things, a little off or as far as they were dragged; the copies are chosen. */
export function duplicateTo(what: Chosen, by?: Point): void {
  const made = duplicate(draft(), what, by, useTeam.getState().takenIds),
    n = chosenCount(made.chosen),
    [first] = what.agents;
  if (!n) return;
  edit(`edit.duplicate|${n === 1 && first ? nameOf(first) : n}`, () => made.topology);
  useUi.getState().choose(made.chosen);
}

export const duplicateChosen = () => duplicateTo(useUi.getState().chosen);

export function selectAll(): void {
  const d = draft();
  useUi.getState().choose({ agents: d.agents.map((a) => a.id), notes: (d.notes ?? []).map((n) => n.id) });
}

export function connectAgents(c: ConnectionRef): void {
  edit(`edit.connect|${pairName(c)}`, (d) => connect(d, c));
}

/** Says why two agents cannot be connected any further; false when they can. */
export function tellRefusal(from: AgentID, to: AgentID): boolean {
  if (freeKind(draft(), from, to)) return false;
  toast({
    text:
      from === to ? t("gesture.selfConnect") : t("gesture.alreadyConnected", { from: nameOf(from), to: nameOf(to) }),
    closeLabel: t("common.close"),
  });
  return true;
}

export const layOut = (only?: AgentID[]) => attempt("layout", () => useTeam.getState().layout(only));
/** Lays out what is chosen, with everybody in the groups among it, about where it stands. */
export function layOutChosen(): void {
  const { agents, groups } = useUi.getState().chosen,
    all = [...new Set([...agents, ...groups.flatMap((g) => insideOf(draft(), g))])];
  if (all.length > 1) void layOut(all);
}

export async function discard(): Promise<void> {
  useUi.getState().choose(nothing);
  if (!(await attempt("discard", useTeam.getState().discard))) return;
  toast({
    text: t("gesture.discarded"),
    closeLabel: t("common.close"),
    action: { label: t("common.undo"), run: () => void undo() },
    while: whileTeamUndoes(),
  });
}

export const openReview = () => useUi.getState().go("review");
export { redo, undo };
