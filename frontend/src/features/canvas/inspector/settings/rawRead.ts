import type { Problem } from "@/topology";
import { isNumberField, ownField } from "./own";
import { isObject, parseJson, pathText, valueAt, type Path } from "./tree";

export type Read = { value: Record<string, unknown> } | { line: number; column: number } | { own: string } | "object";

/** Fields of AgentFlow that a config has inside of a map. */
const inside: Path[] = [
  ["tools", "profile"],
  ["tools", "allow"],
  ["tools", "deny"],
  ["subagents", "allowAgents"],
  ["model", "primary"],
  ["model", "fallbacks"],
];

/** Whether another field edits the value at a path. */
export const isOwn = (path: Path, isMap: boolean): boolean =>
  path.length === 1
    ? (!!ownField(path) && !isMap) || isNumberField(path)
    : inside.some((p) => pathText(p) === pathText(path) && p.length === path.length);

/** The settings that a text says, or why it says none. `whole`: no other field edits one of them. */
export function readRaw(text: string, whole = false): Read {
  const read = parseJson(text);
  if (!("value" in read)) return read;
  const value = read.value ?? {};
  if (!isObject(value)) return "object";
  if (whole) return { value };
  const own = Object.keys(value).find((k) => isOwn([k], isObject(value[k])));
  const taken = own ?? inside.map((p) => (valueAt(value, p) === undefined ? "" : pathText(p))).find(Boolean);
  return taken ? { own: taken } : { value };
}

/** Of which setting the hub says something: its path, as in sandbox.mode. */
export const problemPath = (p: Problem) => p.params?.key ?? p.field?.slice("extra.".length) ?? "";
