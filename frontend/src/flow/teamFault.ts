import type { TFunction } from "i18next";
import { formatBytes, formatNumber } from "../i18n/format";
import { errorMeaning, fieldName } from "../i18n/problem";
import { displayName, type Topology } from "../topology";
import { faultOf, type Fault } from "../topology/limits";

const longest = 40;
const shortened = (name: string) => (name.length > longest ? `${[...name].slice(0, longest).join("")}…` : name);

/** Where something is that the hub doesn't take. */
export function faultPlace(t: TFunction, { agent, note, group, field }: Fault): string {
  const name = agent ? shortened(displayName(agent)) : group ? shortened(group.name || group.id) : "";
  if (field === "layout") return t("clip.positionOf", { name });
  if (name) return t("clip.fieldOf", { name, field: fieldName(t, field) });
  return note ? t("clip.ofNote") : t("clip.ofTeam");
}

export function faultReason(t: TFunction, { why, most = 0 }: Fault): string {
  if (why === "long" || why === "total") return t(`clip.fault.${why}`, { most: formatBytes(most) });
  if (why === "number" || why === "many") return t(`clip.fault.${why}`, { most: formatNumber(most) });
  return t(`clip.fault.${why}`);
}

type ErrorLike = { code: string; message: string; details?: Record<string, unknown> };

/** Why the hub refused a team, in the person's language. The hub's own text is English, so the page looks itself. */
export function refusedWhy(t: TFunction, e: ErrorLike, refused: Topology): string {
  const meaning = errorMeaning(t, e);
  if (e.code !== "VALIDATION_ERROR" || meaning !== e.message) return meaning;
  const fault = faultOf(refused);
  return fault
    ? t("clip.refusedWhy", { where: faultPlace(t, fault), why: faultReason(t, fault) })
    : t("clip.refusedOther", { message: e.message });
}
