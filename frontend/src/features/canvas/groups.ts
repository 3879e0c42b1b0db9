import { i18next } from "@/i18n";
import { useTeam } from "@/stores/team";
import { whileTeamUndoes } from "@/stores/undoOffer";
import { undo } from "@/stores/reach";
import { useUi } from "@/stores/ui";
import {
  allLocked,
  chosenCount,
  findGroup,
  gather,
  groupId,
  insideOf,
  makeGroup,
  removeChosen,
  setLocked,
  ungroup,
  updateGroup,
  nothing,
  type Chosen,
  type Group,
} from "@/topology";
import { toast } from "@/ui";
import { noteHeight } from "./arrange";

// Groups and locks, as keys, menus, the inspector and the palette ask for them.

const draft = () => useTeam.getState().topology;
const edit = useTeam.getState().edit;
const t = i18next.t.bind(i18next);
const say = (text: string) => toast({ text, closeLabel: t("common.close") });

export const groupName = (g: Group | undefined) => g?.name || t("group.unnamed");
export const canGroup = (c: Chosen) => c.agents.length + c.groups.length > 0;
export const sayTooDeep = () => say(t("grouping.tooDeep"));

/** A name for a new group that no other has. */
function freshName(): string {
  const taken = new Set(draft().groups?.map((g) => g.name));
  for (let n = 1; ; n++) {
    const name = t("group.fresh", { n });
    if (!taken.has(name)) return name;
  }
}

/** Puts a frame around what is chosen, brings it together where others stand in between, and has its name written; false when nothing is. */
export function groupChosen(): boolean {
  const { chosen, choose } = useUi.getState();
  const made = { id: groupId(), name: freshName() },
    next = makeGroup(draft(), chosen, made);
  if (next === "nobody") {
    say(t("grouping.chooseFirst"));
    return false;
  }
  if (next === "deep") {
    sayTooDeep();
    return false;
  }
  if (typeof next === "string") return false;
  edit(`edit.group|${made.name}`, () => gather(next, made.id, noteHeight));
  choose({ groups: [made.id] });
  useUi.setState({ toName: { group: made.id } });
  return true;
}

/** Takes the frames away and leaves who was inside chosen. */
export function ungroupChosen(ids: readonly string[] = useUi.getState().chosen.groups): void {
  if (!ids.length) return;
  const d = draft(),
    inside = [...new Set(ids.flatMap((id) => insideOf(d, id)))],
    [only] = ids;
  edit(ids.length === 1 ? `edit.ungroup|${groupName(findGroup(d, only))}` : `edit.ungroupMany|${ids.length}`, (x) =>
    ungroup(x, ids),
  );
  useUi.getState().choose({ agents: inside });
}

export function deleteWithAgents(id: string): void {
  const d = draft(),
    name = groupName(findGroup(d, id)),
    agents = insideOf(d, id),
    inner = (d.groups ?? []).filter((g) => g.parent === id).map((g) => g.id);
  const label = `edit.deleteGroup|${name}`;
  edit(label, (x) => removeChosen(x, { ...nothing, agents, groups: [id, ...inner] }));
  useUi.getState().choose(nothing);
  toast({
    text: t("grouping.deletedWith", { name, count: agents.length }),
    closeLabel: t("common.close"),
    action: { label: t("common.undo"), run: () => void undo() },
    while: whileTeamUndoes(label),
  });
}

export function setFolded(id: string, on: boolean): void {
  edit(`edit.${on ? "fold" : "unfold"}|${groupName(findGroup(draft(), id))}`, (d) =>
    updateGroup(d, id, { collapsed: on }),
  );
}

export function toggleFolded(): boolean {
  const [only] = useUi.getState().chosen.groups,
    g = findGroup(draft(), only);
  if (g) setFolded(g.id, !g.collapsed);
  return !!g;
}

export function renameGroup(id: string, name: string): void {
  edit(`edit.renameGroup|${name || t("group.unnamed")}`, (d) => updateGroup(d, id, { name }), {
    coalesce: `group:${id}:name`,
    typing: true,
  });
}

export const colorGroup = (id: string, color: number) =>
  edit(`edit.color|${groupName(findGroup(draft(), id))}`, (d) => updateGroup(d, id, { color }));

/** Locks what is chosen, or unlocks it where all of it is locked. */
export function toggleLock(chosen: Chosen = useUi.getState().chosen): boolean {
  const n = chosen.agents.length + chosen.notes.length + chosen.groups.length;
  if (!n) return false;
  const on = !allLocked(draft(), chosen);
  edit(`edit.${on ? "lock" : "unlock"}|${n}`, (d) => setLocked(d, chosen, on));
  return true;
}

/** Says that locked things stayed, and offers to unlock them. */
export function sayLocked(kept: Chosen): void {
  toast({
    text: t("lock.stays", { count: chosenCount(kept) }),
    closeLabel: t("common.close"),
    action: {
      label: t("lock.unlock"),
      run: () => edit(`edit.unlock|${chosenCount(kept)}`, (d) => setLocked(d, withGroups(kept), false)),
    },
  });
}

/** With the groups whose lock is what holds somebody. */
function withGroups(c: Chosen): Chosen {
  const d = draft(),
    groups = new Set(c.groups);
  for (const g of d.groups ?? [])
    if (g.locked && insideOf(d, g.id).some((id) => c.agents.includes(id))) groups.add(g.id);
  return { ...c, groups: [...groups] };
}
