import type { Agent, Setting } from "@/topology";
import { matches } from "@/ui";

// The settings that a gateway offers for one agent, as the inspector shows them. Everything here is pure.

export type Path = readonly string[];
export type Json = unknown;
type Obj = Record<string, unknown>;

/** The key of the setting that stands for each entry of a map. */
export const ANY = "*";

export const isObject = (v: Json): v is Obj => typeof v === "object" && v !== null && !Array.isArray(v);
export const pathText = (path: Path) => path.join(".");
export const hasGroup = (s: Setting) => s.kinds.includes("group");

/** The value at a path; undefined where there is none. */
export function valueAt(root: Json, path: Path): Json {
  let v: Json = root;
  for (const key of path) {
    if (!isObject(v) || !Object.hasOwn(v, key)) return undefined;
    v = v[key];
  }
  return v;
}

/** A copy with another value at a path. Undefined takes the value away, and each map that was only there for it. */
export function withValue(root: Obj | undefined, path: Path, value: Json): Obj | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return isObject(value) ? value : undefined;
  const had = root?.[key];
  const next = rest.length ? withValue(isObject(had) ? had : undefined, rest, value) : value;
  if (next !== undefined) return { ...root, [key]: next };
  if (!root || !Object.hasOwn(root, key)) return root;
  const { [key]: _, ...left } = root;
  return Object.keys(left).length ? left : undefined;
}

/** The nearest setting above the path whose own value is no map, so that nothing can be set below it. */
export function blockedBy(root: Json, path: Path): Path | undefined {
  for (let n = 1; n < path.length; n++) {
    const v = valueAt(root, path.slice(0, n));
    if (v === undefined) return undefined;
    if (!isObject(v)) return path.slice(0, n);
  }
  return undefined;
}

/** A key in words: "fallbackPolicy" is "Fallback policy". */
export function humanize(key: string): string {
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/[_-]+/g, " ")
    .trim();
  const plain = words
    .split(" ")
    .map((w, i) => (i > 0 && /^[A-Z][a-z]/.test(w) ? w.toLowerCase() : w))
    .join(" ");
  return plain ? plain.charAt(0).toUpperCase() + plain.slice(1) : key;
}

export const labelOf = (s: Setting, path: Path) => s.label || humanize(path.at(-1) ?? s.key);

/** The settings below one, where each entry of a map that has a value stands for itself. */
export function below(s: Setting, path: Path, own: Json, inherited: Json): { setting: Setting; path: Path }[] {
  return (s.settings ?? []).flatMap((child) => {
    if (child.key !== ANY) return [{ setting: child, path: [...path, child.key] }];
    if (!child.settings?.length) return [];
    const named = new Set((s.settings ?? []).map((x) => x.key));
    const keys = [valueAt(own, path), valueAt(inherited, path)].flatMap((v) => (isObject(v) ? Object.keys(v) : []));
    return [...new Set(keys)]
      .filter((key) => !named.has(key))
      .map((key) => ({ setting: { ...child, label: undefined }, path: [...path, key] }));
  });
}

/** What the map takes that a person names its keys in, if its entries have settings. */
export const entryOf = (s: Setting): Setting | undefined =>
  s.settings?.find((child) => child.key === ANY && !!child.settings?.length);

/** Every setting with its path, in order. */
export function flatten(settings: readonly Setting[], path: Path = []): { setting: Setting; path: Path }[] {
  return settings.flatMap((s) => {
    const here = [...path, s.key];
    return [{ setting: s, path: here }, ...flatten(s.settings ?? [], here)];
  });
}

/** Whether a query finds a setting by its label, path or help. */
export const finds = (query: string, s: Setting, path: Path, label = labelOf(s, path)) =>
  matches(`${label} ${pathText(path)} ${s.help ?? ""}`, query);

/** The form in which a setting is edited. A setting of several kinds has several. */
export type Form = "toggle" | "choice" | "text" | "list" | "secret" | "json";

export function formsOf(s: Setting): Form[] {
  if (s.sensitive) return ["secret"];
  const has = (...kinds: string[]) => kinds.some((k) => s.kinds.includes(k));
  const forms: Form[] = [];
  const plain = has("text", "number", "integer");
  if (has("choice", "boolean") && !plain) forms.push(has("choice") ? "choice" : "toggle");
  if (plain) forms.push("text");
  if (has("list")) forms.push(s.items?.kinds.every((k) => k !== "any") ? "list" : "json");
  if (has("map", "any") && !forms.includes("json")) forms.push("json");
  return forms;
}

/** Which of the forms shows a value; undefined where none of them can. */
export function formFor(s: Setting, v: Json): Form | undefined {
  const forms = formsOf(s);
  if (v === undefined) return forms[0];
  const fits = (f: Form) =>
    f === "secret" || f === "json"
      ? true
      : f === "list"
        ? Array.isArray(v) && v.every((x) => typeof x === "string" || typeof x === "number")
        : f === "toggle"
          ? typeof v === "boolean"
          : f === "choice"
            ? typeof v === "string" || (typeof v === "boolean" && s.kinds.includes("boolean"))
            : typeof v === "string" || typeof v === "number";
  return forms.find(fits);
}

type Bound = "minimum" | "exclusiveMinimum" | "maximum" | "exclusiveMaximum";
export type Parsed =
  { value: Json } | { fault: "number" | "integer" | "json" | "secret" } | { fault: Bound; bound: number };

/** The bound that a number is beyond. */
export function beyond({ bounds = {} }: Setting, n: number): Parsed | undefined {
  const breaks: Record<Bound, (bound: number) => boolean> = {
    minimum: (b) => n < b,
    exclusiveMinimum: (b) => n <= b,
    maximum: (b) => n > b,
    exclusiveMaximum: (b) => n >= b,
  };
  for (const fault of Object.keys(breaks) as Bound[]) {
    const bound = bounds[fault];
    if (bound !== undefined && breaks[fault](bound)) return { fault, bound };
  }
  return undefined;
}

/** What somebody typed as a value of the setting; an empty text is no value. */
export function parseText(s: Setting, text: string): Parsed {
  if (!text.trim()) return { value: undefined };
  if (s.sensitive)
    return /^\$\{[A-Za-z_][A-Za-z0-9_]*\}$/.test(text.trim()) ? { value: text.trim() } : { fault: "secret" };
  const number = s.kinds.includes("number"),
    integer = s.kinds.includes("integer");
  if (!number && !integer) return { value: text };
  const n = Number(text);
  const is = /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i.test(text) && Number.isFinite(n);
  if (is && (number || Number.isInteger(n))) return (!s.kinds.includes("text") && beyond(s, n)) || { value: n };
  if (s.kinds.includes("text")) return { value: text };
  return { fault: number ? "number" : "integer" };
}

/** The items of a list, one per line. A list without items is a value as well. */
export function parseLines(s: Setting, text: string): Parsed {
  const lines = text
    .split("\n")
    .map((l) => l.trim())
    .filter(Boolean);
  const item: Setting = { key: ANY, kinds: s.items?.kinds ?? ["text"] };
  const items = lines.map((l) => parseText(item, l));
  const bad = items.find((i) => "fault" in i);
  return bad ?? { value: items.map((i) => ("value" in i ? i.value : undefined)) };
}

/** The place of a position in a text, from 1. */
export function placeOf(text: string, position: number): { line: number; column: number } {
  const before = text.slice(0, position).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** A JSON text, or where it stops being one. */
export function parseJson(text: string): { value: Json } | { line: number; column: number } {
  if (!text.trim()) return { value: undefined };
  try {
    return { value: JSON.parse(text) as Json };
  } catch {
    return placeOf(text, faultAt(text));
  }
}

/** Where a JSON text is wrong. The errors of browsers have different words, and most have no place. */
export function faultAt(text: string): number {
  let i = 0;
  const take = (what: RegExp) => {
    what.lastIndex = i;
    const found = what.test(text);
    if (found) i = what.lastIndex;
    return found;
  };
  const space = () => take(/[ \t\n\r]*/y),
    word = () => take(/"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-f]{4}))*"/iuy);
  const list = (end: RegExp, item: () => boolean): boolean => {
    space();
    if (take(end)) return true;
    do {
      space();
      if (!item()) return false;
      space();
    } while (take(/,/y));
    return take(end);
  };
  const value = (): boolean => {
    space();
    if (take(/\{/y)) return list(/\}/y, () => word() && space() && take(/:/y) && value());
    if (take(/\[/y)) return list(/\]/y, value);
    return word() || take(/-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[-+]?\d+)?|true|false|null/iy);
  };
  try {
    if (value()) space();
  } catch {
    return text.length; // nested too deeply to be read
  }
  return i;
}

export const jsonText = (v: Json) => (v === undefined ? "" : JSON.stringify(v, null, 2));

/** A value in one line; undefined where there is none. */
export function shortText(v: Json, most = 60): string | undefined {
  if (v === undefined) return undefined;
  const text =
    typeof v === "string" ? v : Array.isArray(v) && v.every((x) => !isObject(x)) ? v.join(", ") : JSON.stringify(v);
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** What all of several values have in common; undefined where that is nothing. */
export function common(values: readonly Json[]): Json {
  const [first, ...others] = values;
  if (others.every((v) => JSON.stringify(v) === JSON.stringify(first))) return first;
  if (!isObject(first) || !others.every(isObject)) return undefined;
  const shared = Object.keys(first).flatMap((key) => {
    const v = common(values.map((x) => valueAt(x, [key])));
    return v === undefined ? [] : [[key, v] as const];
  });
  return shared.length ? Object.fromEntries(shared) : undefined;
}

/** What gateways show in place of a secret. */
export const REDACTED = "__OPENCLAW_REDACTED__";

/** The values of an agent as its config has them: those of the fields that AgentFlow knows, and all others. */
export function configOf(agent: Agent): Obj {
  const { id, connections, extra, model, fallbacks, tools, allowAny, ...plain } = agent;
  let out: Obj = { ...plain, ...extra };
  const put = (path: Path, v: Json) => {
    if (v !== undefined && !(Array.isArray(v) && !v.length)) out = withValue(out, path, v) ?? out;
  };
  if (fallbacks?.length) {
    put(["model", "primary"], model);
    put(["model", "fallbacks"], fallbacks);
    out.fallbacks = fallbacks;
  } else put(["model"], model);
  put(["tools", "profile"], tools?.profile);
  put(["tools", "allow"], tools?.allow);
  put(["tools", "deny"], tools?.deny);
  const targets = (connections ?? []).filter((c) => c.type === "command").map((c) => c.targetId);
  put(["subagents", "allowAgents"], allowAny ? ["*", ...targets] : targets);
  return { id, ...out };
}
