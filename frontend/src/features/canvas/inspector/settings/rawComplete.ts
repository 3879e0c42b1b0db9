import type { Setting } from "@/topology";
import { isNumberField, ownField } from "./own";
import { readTree } from "./rawTree";
import { ANY, type Path } from "./tree";

// What can be written at a place of the settings' JSON, from the gateway's schema. Everything here is pure.

/** Something that can be written. */
export type Offer = {
  /** As it is written: "mode", with its quotes, or true. */ text: string;
  /** Without quotes. */ name: string;
  /** The setting that a key names. */ setting?: Setting;
  /** The value is what the gateway uses if nothing is set. */ isDefault?: boolean;
};
export type Offers = { from: number; to: number; offers: Offer[] };

/** A change of the text, and where the cursor is after it. */
export type Written = {
  changes: { from: number; to: number; insert: string }[];
  cursor: number;
  /** There are suggestions for what comes next. */ more: boolean;
};

/** Stands in a path for an item of a list. No schema says what a map in a list has. */
const IN_LIST = "[]";

/** Where a position is: in which map or list, and in the middle of which word. */
type Place = {
  path: Path;
  at: "key" | "value" | "item";
  from: number;
  to: number;
  /** Keys that the map has. */ taken: ReadonlySet<string>;
  /** Where a comma is missing before the word. */ comma?: number;
};

/** The end of a word whose first part ends at a position. */
function wordEnd(text: string, pos: number, quoted: boolean): number {
  const rest = text.slice(pos, pos + 500);
  const to = quoted ? /^(?:[^"\\\n,:{}[\]]|\\.)*"/.exec(rest) : undefined;
  return pos + (to ?? /^[\p{L}\p{N}_$.+-]*/u.exec(rest))![0].length;
}

/** The keys that the map around a position has behind it. */
function keysBehind(text: string, pos: number): string[] {
  const keys: string[] = [];
  const part = /"((?:[^"\\\n]|\\.)*)"(\s*:)?|[{}[\]]/g;
  part.lastIndex = pos;
  for (let depth = 0, m = part.exec(text); m && depth >= 0; m = part.exec(text)) {
    if (m[0] === "{" || m[0] === "[") depth++;
    else if (m[0] === "}" || m[0] === "]") depth--;
    else if (!depth && m[2]) keys.push(m[1] ?? "");
  }
  return keys;
}

export function placeAt(text: string, pos: number): Place | undefined {
  const { open, word, last } = readTree(text.slice(0, pos)),
    at = open.at(-1);
  if (!at) return undefined;
  const path = open.slice(1).map((o) => o.key ?? IN_LIST);
  const from = word?.from ?? pos,
    to = word ? wordEnd(text, pos, word.quoted) : pos;
  const taken = new Set<string>(),
    place = { path, from, to, taken };
  const comma = last && /[^{[,:]/.test(last.char) ? last.to : undefined;
  if (at.node.kind === "list") return { ...place, at: "item", comma };
  if (at.prop) return last?.char === ":" ? { ...place, path: [...path, at.prop.key], at: "value" } : undefined;
  for (const p of at.node.props ?? []) taken.add(p.key);
  for (const key of keysBehind(text, to)) taken.add(key);
  return { ...place, at: "key", comma };
}

/** The settings below a path: those of the named keys, else what the entries of a map have. */
export function settingAt(settings: readonly Setting[], path: Path): Setting | undefined {
  let found: Setting | undefined;
  let here: readonly Setting[] | undefined = settings;
  for (const key of path) {
    found = key === IN_LIST ? undefined : (here?.find((s) => s.key === key) ?? here?.find((s) => s.key === ANY));
    if (!found) return undefined;
    here = found.settings;
  }
  return found;
}

/** Whether the settings of a key are all edited elsewhere. */
const elsewhere = (s: Setting, path: Path): boolean =>
  isNumberField(path) ||
  (!!ownField(path) && !s.settings?.length) ||
  (!!s.settings?.length && s.settings.every((x) => elsewhere(x, [...path, x.key])));

function values(kinds: readonly string[], choices: readonly string[] | undefined, standard: unknown): Offer[] {
  const texts = kinds.includes("choice") || kinds.includes("text") ? (choices ?? []) : [];
  const bools = kinds.includes("boolean") ? [true, false] : [];
  const plain = standard !== null && standard !== undefined && typeof standard !== "object" ? [standard] : [];
  const all = [...new Set<unknown>([...texts, ...bools, ...plain])];
  return all.map((v) => ({ text: JSON.stringify(v), name: String(v), ...(v === standard && { isDefault: true }) }));
}

/** What can be written at a position. `whole`: no other field edits one of the settings. */
export function rawOffers(text: string, pos: number, settings: readonly Setting[], whole = false): Offers | undefined {
  const place = placeAt(text, pos);
  if (!place) return undefined;
  const { path, from, to } = place,
    setting = settingAt(settings, path);
  let offers: Offer[] = [];
  if (place.at === "key") {
    const below = path.length ? (setting?.settings ?? []) : settings;
    offers = below
      .filter((s) => s.key !== ANY && !place.taken.has(s.key) && (whole || !elsewhere(s, [...path, s.key])))
      .map((s) => ({ text: JSON.stringify(s.key), name: s.key, setting: s }));
  } else if (setting && !setting.sensitive)
    offers =
      place.at === "value"
        ? values(setting.kinds, setting.choices, setting.default)
        : values(setting.items?.kinds ?? [], setting.items?.choices, undefined);
  return offers.length ? { from, to, offers } : undefined;
}

/** What the value of a setting starts with, and where in it the cursor is. */
function start(s: Setting): string {
  const has = (...kinds: string[]) => kinds.some((k) => s.kinds.includes(k));
  if (has("choice", "boolean", "any") || (s.kinds.length > 1 && !s.kinds.every((k) => k === "map" || k === "group")))
    return "";
  return has("group", "map") ? "{}" : has("list") ? "[]" : has("text") ? '""' : "";
}

/** Writes what was chosen in place of the word at a position. */
export function write(text: string, pos: number, offer: Offer): Written | undefined {
  const place = placeAt(text, pos);
  if (!place) return undefined;
  const rest = text.slice(place.to, place.to + 5000).trimStart();
  const key = place.at === "key" && !rest.startsWith(":"),
    value = key && offer.setting ? start(offer.setting) : "";
  const insert = `${offer.text}${key ? `: ${value}` : ""}`;
  const comma = place.comma === undefined ? 0 : 1,
    changes = [{ from: place.from, to: place.to, insert: insert + (/^["{[\w-]/.test(rest) ? "," : "") }];
  if (place.comma !== undefined) changes.unshift({ from: place.comma, to: place.comma, insert: "," });
  const cursor = place.from + comma + insert.length - (value ? 1 : 0);
  return { changes, cursor, more: key && value !== '""' };
}
