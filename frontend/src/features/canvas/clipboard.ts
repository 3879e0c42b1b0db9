import type { useReactFlow } from "@xyflow/react";
import type { RefObject } from "react";
import { i18next } from "@/i18n";
import { fieldName } from "@/i18n/problem";
import { fetchLater } from "@/stores/fetched";
import { useTeam } from "@/stores/team";
import { useUi } from "@/stores/ui";
import {
  addNote,
  chosenCount,
  cleanClip,
  clipOf,
  clipSize,
  clipText,
  freeSpot,
  loose,
  NOTE_W,
  noteId,
  pasteClip,
  placed,
  readClip,
  removeChosen,
  nothing,
  type Clip,
  type LeftOut,
  type Point,
} from "@/topology";
import { copyText as putOnClipboard, keyLabel, keysOf, toast } from "@/ui";
import { nameOf, snap } from "./actions";
import { leastNote, noteHeight } from "./arrange";

const t = i18next.t.bind(i18next);
const tell = (text: string, action?: { label: string; run: () => void }) =>
  toast({ text, action, closeLabel: t("common.close") });

export const looksLikeTeam = (text: string) =>
  /^\s*(agentflow|agents)\s*:/m.test(text) || /"agents"\s*:\s*[[{]/.test(text);

const placeOf = (l: LeftOut) =>
  l.agent ? t("clip.fieldOf", { name: nameOf(l.agent), field: fieldName(t, l.field) }) : t("clip.ofNote");

/** What is chosen as a text for the clipboard; undefined, and a word about it, where there is nothing to take along. */
export function copyText(): string | undefined {
  const { chosen } = useUi.getState();
  if (chosen.everyone) {
    tell(t("refused.everyone"));
    return undefined;
  }
  const { clip, left } = cleanClip(clipOf(useTeam.getState().topology, chosen, noteHeight));
  if (!clip.agents.length && !clip.notes?.length) {
    if (chosenCount(chosen)) tell(t("clip.linesAlone"));
    return undefined;
  }
  if (left.length)
    tell(
      t("clip.leftOut", {
        count: left.length,
        where: [...new Set(left.map(placeOf))].slice(0, 4).join(t("list.comma")),
      }),
    );
  return clipText(clip);
}

/** Takes away what was copied, as one step; what is locked stays. */
export function removeCut(): void {
  const { chosen, choose } = useUi.getState(),
    free = loose(useTeam.getState().topology, chosen);
  useTeam.getState().edit(`edit.cut|${chosenCount(free)}`, (d) => (chosenCount(free) ? removeChosen(d, free) : d));
  choose(nothing);
}

/** Where a paste goes: its middle at the pointer, or else in the middle of the view; the nearest free room from there. */
export type Aim = { flow: ReturnType<typeof useReactFlow>; area: RefObject<HTMLElement | null>; pointer?: Point };

function aimed({ flow, area, pointer }: Aim): Point {
  const r = area.current?.getBoundingClientRect();
  return flow.screenToFlowPosition(
    pointer ?? { x: (r?.left ?? 0) + (r?.width ?? 0) / 2, y: (r?.top ?? 0) + (r?.height ?? 0) / 2 },
  );
}

/** Draws what a text holds; what it cannot be is said, with what can be done instead. */
export function pasteText(text: string, aim: Aim, openTeam?: (text: string) => void): void {
  if (!text.trim()) {
    tell(t("clip.empty"));
    return;
  }
  const clip = readClip(text);
  if (clip === "newer" || clip === "broken") {
    tell(t(`clip.${clip}`));
    return;
  }
  const at = aimed(aim);
  if (clip !== "foreign") {
    void pasteAt(clip, at);
    return;
  }
  if (openTeam && looksLikeTeam(text)) tell(t("clip.team"), { label: t("clip.openTeam"), run: () => openTeam(text) });
  else tell(t("clip.foreign"), { label: t("clip.makeNote"), run: () => noteOf(text, at) });
}

/** What the hub would refuse of a paste. It comes with the rest of the page; where it can't, the hub says it later. */
const getFaults = () => import("./pasteFault");
fetchLater(getFaults);

async function pasteAt(clip: Clip, middle: Point): Promise<void> {
  const faults = await getFaults().catch(() => undefined);
  const { w, h } = clipSize(clip, noteHeight);
  const { topology } = useTeam.getState(),
    taken = placed(topology, noteHeight),
    place = freeSpot({ taken }, { x: snap(middle.x - w / 2), y: snap(middle.y - h / 2), w, h });
  const made = pasteClip(topology, clip, place), // what was cut comes back with the ids that the gateway knows
    fault = faults?.pasteFault(made.topology, topology);
  if (fault) {
    tell(fault);
    return;
  }
  useTeam.getState().edit(`edit.paste|${chosenCount(made.chosen)}`, () => made.topology);
  useUi.getState().choose(made.chosen);
}

function noteOf(text: string, at: Point): void {
  const id = noteId();
  const wish = { x: snap(at.x), y: snap(at.y), w: NOTE_W, h: leastNote },
    { x, y } = freeSpot({ taken: placed(useTeam.getState().topology, noteHeight) }, wish);
  useTeam.getState().edit("edit.addNote", (d) => addNote(d, { id, text: text.trim().slice(0, 4000), x, y }));
  useUi.getState().choose({ notes: [id] });
}

// --- from a menu, where the browser gives no clipboard event: it may refuse, and then the keys are named

export async function copyByMenu(cut = false): Promise<void> {
  const text = copyText();
  if (text === undefined) return;
  try {
    await putOnClipboard(text);
  } catch {
    tell(t("clip.useKeys", { keys: keyLabel(keysOf("clip", cut ? 1 : 0)) }));
    return;
  }
  if (cut) removeCut();
}

export async function pasteByMenu(aim: Aim, openTeam?: (text: string) => void): Promise<void> {
  let text: string;
  try {
    text = await navigator.clipboard.readText();
  } catch {
    tell(t("clip.useKeys", { keys: keyLabel(keysOf("paste")) }));
    return;
  }
  pasteText(text, aim, openTeam);
}
