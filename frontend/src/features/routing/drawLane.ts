import type { TFunction } from "i18next";
import { framesFor, LANE, nodeBox, shownAs, type FlowEdge, type Lane } from "@/flow";
import { channelName, conditionWords, matchWords } from "@/flow/bindingWords";
import { placeWords } from "@/flow/broadcastWords";
import { crowd, curve, freeSpot, type Way } from "@/flow/geometry";
import type { ChannelFlowNode } from "@/flow/flowPicture";
import {
  bounds,
  broadcastStrategy,
  castOf,
  displayName,
  LEAST_NOTE,
  noMarks,
  placed,
  type AgentID,
  type Box,
  type Change,
  type Mark,
  type Point,
  type Topology,
  type Verdict,
} from "@/topology";
import { everyAccount, type Card, type LaneLine, type LaneOf } from "./lane";

/** Room between two cards, and between two channels. */
const gap = 12,
  apart = 28;
/** A card with more lines has labels only on those that matter now. */
const mostLabels = 12;
/** More lines than this don't look for a place for their label. */
const mostSeated = 120;
/** Lines leave the lane to the right, wherever an agent stands. */
const across: Way = { sides: ["r", "l"], via: [] };
const handles = [
  { id: "r", type: "source", position: "right", x: LANE.w - 5, y: LANE.h / 2 - 5, width: 10, height: 10 },
] as ChannelFlowNode["handles"];

export type LanePicture = {
  lane: LaneOf;
  topology: Topology;
  t: TFunction;
  changes: readonly Change[];
  picked?: string;
  /** What each binding has to do with the message asked about, and the card that message comes to. */
  verdicts?: readonly Verdict[];
  answered?: { card: string; agent?: AgentID; byDefault: boolean; cast?: readonly AgentID[] };
};

/** Objects of the last picture, so that React Flow leaves alone what is as it was. */
export type LaneCache = Map<string, { text: string; made: ChannelFlowNode | FlowEdge }>;

function same<T extends ChannelFlowNode | FlowEdge>(cache: LaneCache, made: T): T {
  const text = JSON.stringify(made),
    had = cache.get(made.id);
  if (had?.text === text) return had.made as T;
  cache.set(made.id, { text, made });
  return made;
}

/** Where the cards stand: in a column at the left of the team. */
function placesOf(cards: readonly Card[], team: Box): Map<string, Point> {
  const places = new Map<string, Point>();
  let y = 0,
    last: string | undefined;
  for (const c of cards) {
    if (last !== undefined) y += LANE.h + (c.channel === last ? gap : apart);
    last = c.channel;
    places.set(c.id, { x: team.x - LANE.aside - LANE.w, y });
  }
  const top = Math.round(team.y + Math.max(0, team.h - (y + LANE.h)) / 2);
  for (const p of places.values()) p.y += top;
  return places;
}

/** What stands below a channel's name: what is wrong, or how many bindings it has. */
function footOf(
  t: TFunction,
  c: Card,
  rest: boolean,
  name: (id: AgentID) => string,
): [string, "none" | "waiting" | "failed"] {
  const [missing, ...more] = c.missing;
  if (c.state === "unknown") return [t("routes.lane.unknown"), "waiting"];
  if (missing)
    return [
      more.length
        ? t("routes.lane.missing", { count: c.missing.length })
        : t("routes.note.unknown_agent", { name: name(missing) }),
      "waiting",
    ];
  if (c.state === "nobody") return [t("routes.nobodyAnswers"), "failed"];
  if (c.group && c.state === "ok") return [t("routes.broadcast.laneFoot", { count: c.group.agents.length }), "none"];
  if (c.state === "off") return [t("routes.off"), "none"];
  if (!c.rules.length && rest) return [t("routes.lane.default"), "none"];
  if (!c.rules.length && c.account !== everyAccount) return [t("routes.lane.asAll"), "none"];
  return [t("routes.lane.bindings", { count: c.rules.length }), "none"];
}

const accountName = (t: TFunction, c: Card) =>
  c.group
    ? c.group.peer
    : c.only
      ? ""
      : c.account === everyAccount
        ? t("routes.all")
        : (c.name ?? (c.account === "default" ? t("routes.defaultAccount") : c.account));

/** Whether an agent came to its broadcast group since the group was applied. */
function castMark(changes: readonly Change[], l: LaneLine): Mark | undefined {
  const c = changes.find((x) => x.subject === "broadcast" && x.field === l.group?.key);
  return c && !castOf(c.before).includes(l.agent) ? "add" : undefined;
}

/** How the bindings of the draft differ from what was applied. */
function marksOf(changes: readonly Change[]): Map<string, Mark> {
  const marks = new Map<string, Mark>();
  for (const c of changes)
    if (c.subject === "binding" && c.after !== undefined)
      marks.set(JSON.stringify(c.after), c.op === "added" ? "add" : "chg");
  return marks;
}

export function drawLane(p: LanePicture, cache: LaneCache): Lane {
  const { lane, topology, t } = p;
  const frames = framesFor(topology, false, noMarks);
  const inTeam = [...placed(topology, () => LEAST_NOTE.height), ...frames.boxes.values()],
    places = placesOf(lane.cards, bounds(inTeam));
  const names = new Map(topology.agents.map((a) => [a.id, displayName(a)])),
    name = (id: AgentID) => names.get(id) ?? id;
  const resting = new Set(lane.lines.filter((l) => !l.rules.length && !l.group).map((l) => l.card));
  const edges = edgesOf(p, cache, places, inTeam, name),
    lit = new Set([p.answered?.card, ...edges.filter((e) => e.data?.won).map((e) => e.source)]);
  const nodes = lane.cards.map((c): ChannelFlowNode => {
    const [foot, tone] = footOf(t, c, resting.has(c.id), name),
      channel = channelName(c.channel),
      account = accountName(t, c);
    return same(cache, {
      id: c.id,
      type: "channel",
      position: places.get(c.id) ?? { x: 0, y: 0 },
      width: LANE.w,
      height: LANE.h,
      measured: { width: LANE.w, height: LANE.h },
      handles,
      draggable: false,
      selectable: false,
      data: { channel, account, foot, tone, dim: (!!p.verdicts && !lit.has(c.id)) || undefined },
      ariaLabel: [c.group ? placeWords(t, c.group) : channel, c.group ? "" : account, foot]
        .filter(Boolean)
        .join(t("list.comma")),
      domAttributes: { "aria-roledescription": t(c.group ? "routes.broadcast.lane" : "routes.lane.kind") },
    });
  });
  return { nodes, edges };
}

function edgesOf(
  { lane, topology, t, changes, picked, verdicts, answered }: LanePicture,
  cache: LaneCache,
  places: ReadonlyMap<string, Point>,
  inTeam: readonly Box[],
  name: (id: AgentID) => string,
): FlowEdge[] {
  const frames = framesFor(topology, false, noMarks),
    cards = new Map(lane.cards.map((c) => [c.id, c])),
    marks = marksOf(changes),
    of = new Map(verdicts?.map((v) => [v.at, v.outcome]));
  const box = (id: string): Box => ({ ...(places.get(id) ?? { x: 0, y: 0 }), w: LANE.w, h: LANE.h });
  const perCard = tally(lane.lines.map((l) => l.card)),
    perPair = tally(lane.lines.map((l) => `${l.card}>${l.agent}`)),
    seen = new Map<string, number>();
  const seat =
    lane.lines.length <= mostSeated ? seatsAmong([...inTeam, ...lane.cards.map((c) => box(c.id))]) : () => 0.3;
  const edges = lane.lines.map((l): FlowEdge => {
    const card = cards.get(l.card),
      pair = `${l.card}>${l.agent}`,
      i = seen.get(pair) ?? 0;
    seen.set(pair, i + 1);
    const won =
        answered &&
        (answered.cast
          ? answered.card === l.card && answered.cast.includes(l.agent)
          : l.rules.length
            ? !answered.byDefault && l.rules.some((r) => r.seenAt !== undefined && of.get(r.seenAt) === "wins")
            : answered.byDefault && answered.card === l.card),
      target = shownAs(frames, l.agent),
      shift = (i - ((perPair.get(pair) ?? 1) - 1) / 2) * 20,
      chosen = picked === l.id;
    const shown = (perCard.get(l.card) ?? 0) <= mostLabels || chosen || !!won,
      label = shown ? labelOf(t, l, topology) : undefined;
    const said = saidOf(t, l, card, name(l.agent));
    return same(cache, {
      id: l.id,
      type: "connection",
      source: l.card,
      target,
      sourceHandle: "r",
      targetHandle: "l",
      selected: chosen,
      selectable: !!l.group || l.rules.length > 0,
      reconnectable: chosen && (l.group || l.rules.length === 1) ? "target" : false,
      data: {
        kind: "route",
        label,
        shift,
        way: across,
        spot: label ? seat(box(l.card), nodeBox(topology, frames, target), shift, label) : 0.5,
        mark: l.group ? castMark(changes, l) : l.rules.map((r) => marks.get(JSON.stringify(r.raw))).find(Boolean),
        won: won || undefined,
        dim: (!!verdicts && !won) || undefined,
        said,
      },
      ariaLabel: said,
      domAttributes: { "aria-roledescription": t(l.group ? "routes.broadcast.laneLine" : "routes.lane.lineKind") },
    });
  });
  return chosenLast(edges);
}

/** The chosen line comes last, so that no other lies over its end. */
const chosenLast = (edges: readonly FlowEdge[]) => [
  ...edges.filter((e) => !e.selected),
  ...edges.filter((e) => e.selected),
];

function tally(list: readonly string[]): Map<string, number> {
  const n = new Map<string, number>();
  for (const x of list) n.set(x, (n.get(x) ?? 0) + 1);
  return n;
}

function labelOf(t: TFunction, l: LaneLine, topology: Topology): string | undefined {
  const [rule] = l.rules;
  if (l.group)
    return broadcastStrategy(topology) === "sequential" ? String(l.group.agents.indexOf(l.agent) + 1) : undefined;
  if (!rule) return t("routes.rest");
  if (l.rules.length > 1) return t("routes.lane.bindings", { count: l.rules.length });
  const words = conditionWords(t, rule.match);
  return rule.number ? `${rule.number} · ${words}` : words;
}

function saidOf(t: TFunction, l: LaneLine, card: Card | undefined, name: string): string {
  const [rule] = l.rules,
    from = card ? [channelName(card.channel), accountName(t, card)].filter(Boolean).join(t("list.comma")) : "";
  if (l.group) return t("routes.broadcast.said", { place: placeWords(t, l.group), name });
  if (!rule) return t("routes.lane.saidRest", { from, name });
  if (l.rules.length > 1) return t("routes.lane.saidMany", { count: l.rules.length, from, name });
  const match = matchWords(t, rule.match);
  return rule.number ? t("routes.lane.said", { number: rule.number, match, name }) : `${match} → ${name}`;
}

/** Where labels stand on lines: on no card, and on no other label. */
function seatsAmong(cards: readonly Box[]): (a: Box, b: Box, shift: number, label: string) => number {
  const onCard = crowd(cards),
    labels: Box[] = [];
  return (a, b, shift, label) => {
    const line = curve(a, b, shift, across),
      w = Math.min(180, 14 + label.length * 7),
      h = 20;
    const over = (p: Point) =>
      labels.some((o) => Math.abs(p.x - o.x) < (w + o.w) / 2 && Math.abs(p.y - o.y) < (h + o.h) / 2);
    const wide = (p: Point) => onCard(p) || onCard({ x: p.x - w / 2, y: p.y }) || onCard({ x: p.x + w / 2, y: p.y });
    const spot = freeSpot(line, (p) => wide(p) || over(p)) ?? freeSpot(line, over) ?? 0.3;
    labels.push({ ...line.at(spot), w, h });
    return spot;
  };
}
