import type { TFunction } from "i18next";
import { formatList } from "../i18n/format";
import type { Change } from "../topology";

// The settings for messages between agents of a gateway, in words.

const fields = ["enabled", "allow", "visibility"] as const;
export const visibilities = ["self", "tree", "agent", "all"] as const;

/** What a setting is called. */
export function messageField(t: TFunction, field: string): string {
  const known = fields.find((f) => f === field);
  return known ? t(`everyone.messages.${known}`) : field;
}

/** Which sessions an agent sees. */
export function visibilityWord(t: TFunction, v: unknown): string {
  const known = visibilities.find((x) => x === v);
  return known ? t(`everyone.messages.sees.${known}`) : v === undefined ? t("everyone.messages.byGateway") : raw(v);
}

const raw = (v: unknown) => (typeof v === "string" ? v : (JSON.stringify(v) ?? ""));
const listOf = (v: unknown) => (Array.isArray(v) ? v.map(raw) : []);

const switchWord = (t: TFunction, v: unknown) =>
  v === undefined
    ? t("everyone.messages.byGateway")
    : typeof v === "boolean"
      ? t(`everyone.messages.${v ? "on" : "off"}`)
      : raw(v);

/** A change of one setting: who comes to the list and who goes, or from what to what. */
export function messageCaption(t: TFunction, nameOf: (id: string) => string, c: Change): string {
  if (c.field === "allow") {
    const was = listOf(c.before),
      now = listOf(c.after);
    if (!now.length) return t("everyone.messages.everyAgent");
    const names = (ids: string[]) => formatList(ids.map(nameOf));
    const came = now.filter((id) => !was.includes(id)),
      went = was.filter((id) => !now.includes(id));
    return (
      [
        came.length && t("everyone.messages.came", { names: names(came) }),
        went.length && t("everyone.messages.went", { names: names(went) }),
      ]
        .filter(Boolean)
        .join(t("list.comma")) || t("review.order")
    );
  }
  const word =
    c.field === "visibility"
      ? visibilityWord
      : c.field === "enabled"
        ? switchWord
        : (_: TFunction, v: unknown) => raw(v);
  return t("review.fromTo", { name: messageField(t, c.field ?? ""), was: word(t, c.before), now: word(t, c.after) });
}
