import type { TFunction } from "i18next";
import { fieldName } from "../i18n/problem";
import {
  displayName,
  drawnKind,
  findAgent,
  hasNamesake,
  shortModel,
  type Agent,
  type Change,
  type Topology,
} from "../topology";
import { bindingCaption, bindingTitle } from "./bindingWords";
import { broadcastCaption, broadcastTitle } from "./broadcastWords";
import { canvasWords } from "./canvasWords";
import { messageCaption } from "./messageWords";

// What a change or a conflict is about, in the person's language.

/** The team as it would be, as it is, and as it was when both sides parted. */
export type Teams = { after?: Topology; before?: Topology; base?: Topology };

/** The name, and the ID where another agent has the same name. */
export function agentName(teams: Teams, id: string): string {
  const name = displayName(
    [teams.after, teams.before, teams.base].map((t) => t && findAgent(t, id)).find(Boolean) ?? { id },
  );
  return [teams.after, teams.before].some((t) => t && hasNamesake(t, name, id)) ? `${name} (${id})` : name;
}

type About = Pick<Change, "subject" | "agent" | "target" | "field" | "item"> & {
  before?: unknown;
  after?: unknown;
  mine?: unknown;
  theirs?: unknown;
};

export function titleOf(t: TFunction, teams: Teams, c: About): string {
  if (c.subject === "connection" && c.agent && c.target)
    return `${agentName(teams, c.agent)} → ${agentName(teams, c.target)}`;
  if (c.subject === "binding")
    return c.field === "order" ? t("routes.title") : bindingTitle(t, c.after ?? c.before ?? c.mine ?? c.theirs, c.item);
  if (c.subject === "broadcast") return broadcastTitle(t, c.field ?? "");
  if (c.agent) return agentName(teams, c.agent);
  if (c.subject === "defaults") return t("canvas.everyone.title");
  if (c.subject === "messages") return t("everyone.messages.title");
  if (c.subject === "note") return firstWords(noteText(teams, c.item)) || t("review.note");
  if (c.subject === "group")
    return (
      [teams.after, teams.before].map((x) => x?.groups?.find((g) => g.id === c.item)?.name).find(Boolean) ??
      t("review.group")
    );
  return t("review.team");
}

const noteText = (teams: Teams, id: string | undefined) =>
  [teams.after, teams.before].map((x) => x?.notes?.find((n) => n.id === id)?.text).find(Boolean) ?? "";
const firstWords = (s: string) => (s.length > 40 ? `${s.slice(0, 38)}…` : s);

/** The second line of a row: what about it, and from what to what. */
export function captionOf(t: TFunction, teams: Teams, c: Change): string {
  const own = canvasWords(t, c);
  if (own) return own;
  if (c.subject === "binding") return bindingCaption(t, (id) => agentName(teams, id), c);
  if (c.subject === "broadcast") return broadcastCaption(t, (id) => agentName(teams, id), c);
  if (c.subject === "messages") return messageCaption(t, (id) => agentName(teams, id), c);
  if (c.subject === "connection") return connectionCaption(t, c);
  if (c.subject === "agent" && !c.field) return c.op === "removed" ? removedCaption(t, teams, c) : addedCaption(t, c);
  if (c.subject === "group" && c.agent) return groupMove(t, teams, c);
  if (c.op === "moved" || c.field === "order") return t(c.subject === "layout" ? "review.moved" : "review.order");
  if (c.subject === "note" || c.subject === "group") return t(`review.${c.subject}`);
  if (!c.field) return c.subject === "layout" ? t("review.placed") : "";
  const within = c.field.startsWith("extra.") && insideCaption(t, c.field.slice(6), c);
  if (within) return within;
  const name = nameOfField(t, c.field),
    value = (v: unknown) => {
      const s = shortValue(v);
      return s && c.field === "model" ? shortModel(s) : s;
    };
  const was = value(c.before),
    now = value(c.after);
  if (was && now) return t("review.fromTo", { name, was, now });
  return now && c.before === undefined ? t("review.setTo", { name, now }) : name;
}

const isMap = (v: unknown): v is Record<string, unknown> => typeof v === "object" && v !== null && !Array.isArray(v);

type Inside = { path: string; was: unknown; now: unknown };

/** What differs inside of a map, by the paths of its values. */
function inside(path: string, was: unknown, now: unknown): Inside[] {
  if (!isMap(was) && !isMap(now)) return JSON.stringify(was) === JSON.stringify(now) ? [] : [{ path, was, now }];
  const [a, b] = [isMap(was) ? was : {}, isMap(now) ? now : {}];
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((k) => inside(`${path}.${k}`, a[k], b[k]));
}

/** The first setting that changed inside of a map, from what to what, and how many others did. */
function insideCaption(t: TFunction, path: string, c: Change): string {
  const all = isMap(c.before) || isMap(c.after) ? inside(path, c.before, c.after) : [],
    [one] = all;
  if (!one) return "";
  const word = (v: unknown) => (v === undefined ? t("review.notSet") : (shortValue(v) ?? "…"));
  const first = t("review.fromTo", { name: one.path, was: word(one.was), now: word(one.now) });
  return all.length > 1 ? t("review.andMore", { first, count: all.length - 1 }) : first;
}

export const nameOfField = (t: TFunction, field: string) =>
  fieldName(t, /^(extra|files)\./.test(field) ? field : (field.split(".").at(-1) ?? field));

/** From which group to which. */
function groupMove(t: TFunction, teams: Teams, c: Change): string {
  const name = (id: unknown) =>
    [teams.after, teams.before, teams.base].flatMap((x) => x?.groups ?? []).find((g) => g.id === id)?.name ??
    (typeof id === "string" ? id : "");
  const was = name(c.before),
    now = name(c.after);
  return was && now
    ? t("choose.fromGroup", { was, now })
    : now
      ? t("choose.intoGroup", { now })
      : t("choose.outOfGroup", { was });
}

function connectionCaption(t: TFunction, c: Change): string {
  const kind = t(`kind.${drawnKind(c.kind ?? "")}`);
  if (c.op === "moved") return t("review.order");
  const what = c.field ? `${kind}${t("list.comma")}${nameOfField(t, c.field)}` : kind;
  return c.dangling ? `${what}${t("list.comma")}${t("review.dangling")}` : what;
}

function addedCaption(t: TFunction, c: Change): string {
  const a = (c.after ?? {}) as Partial<Agent>;
  return [a.role, a.model && shortModel(a.model)].filter(Boolean).join(" · ") || t("review.newAgent");
}

function removedCaption(t: TFunction, teams: Teams, c: Change): string {
  const all = teams.before?.agents.flatMap((a) => (a.connections ?? []).map((x) => [a.id, x.targetId])) ?? [];
  const n = all.filter(([from, to]) => from === c.agent || to === c.agent).length;
  return n ? t("review.removedWith", { count: n }) : t("review.removed");
}

/** A value in a few characters, or undefined where that would say nothing. */
export function shortValue(v: unknown, most = 40): string | undefined {
  if (typeof v === "number" || typeof v === "boolean") return String(v);
  if (Array.isArray(v) && v.every((x) => typeof x === "string")) return shortValue(v.join(", "), most);
  return typeof v === "string" && v && v.length <= most && !v.includes("\n") ? v : undefined;
}
