import type { TFunction } from "i18next";
import { errorMeaning } from "@/i18n/problem";

/** What a refusal of the hub means here. */
export function meaning(t: TFunction, e: { code: string; message: string; details?: Record<string, unknown> }): string {
  const { reason, ...rest } = e.details ?? {};
  return (
    (typeof reason === "string" && t(`security.fault.${reason}`, { ...rest, defaultValue: "" })) || errorMeaning(t, e)
  );
}

/** The networks of a text, one a line or between commas. */
export const networksOf = (text: string): string[] =>
  text
    .normalize("NFKC")
    .split(/[\s,、]+/)
    .filter(Boolean);

/** A whole number as it is typed, also with the wide digits of an input method; nothing is 0; undefined: it is none. */
export function numberOf(text: string, most: number, decimals = false): number | undefined {
  const plain = text.normalize("NFKC").replaceAll(",", "").trim();
  if (!plain) return 0;
  const n = Number(plain);
  return (decimals ? /^\d+(\.\d+)?$/ : /^\d+$/).test(plain) && n <= most ? n : undefined;
}

export type Sender = { kind: "owner" | "page" | "caller" | "agent" | "nobody"; name: string };

/** Who an entry of the audit log names. */
export function senderOf(who: string): Sender {
  const at = who.indexOf(":"),
    kind = at < 0 ? who : who.slice(0, at);
  if (kind === "caller" || kind === "agent") return { kind, name: who.slice(at + 1) };
  return { kind: kind === "owner" || kind === "page" ? kind : "nobody", name: "" };
}

const browsers: [RegExp, string][] = [
  [/ Edg(e|A|iOS)?\//, "Edge"],
  [/ OPR\//, "Opera"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrome\/|CriOS\//, "Chrome"],
  [/Safari\//, "Safari"],
];
const systems: [RegExp, string][] = [
  [/Android/, "Android"],
  [/iPhone|iPad/, "iOS"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "macOS"],
  [/CrOS/, "ChromeOS"],
  [/Linux/, "Linux"],
];

/** The names of a browser and its system, as far as it tells them. */
export function browserOf(agent: string): { browser: string; system: string } {
  const named = (list: [RegExp, string][]) => list.find(([is]) => is.test(agent))?.[1] ?? "";
  return { browser: named(browsers), system: named(systems) };
}
