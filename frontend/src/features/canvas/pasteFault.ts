import { i18next } from "@/i18n";
import { formatBytes, formatNumber } from "@/i18n/format";
import { fieldName } from "@/i18n/problem";
import { displayName, type Topology } from "@/topology";
import { faultOf, type Fault } from "@/topology/limits";

const t = i18next.t.bind(i18next);
const longest = 40;
const shortened = (name: string) => (name.length > longest ? `${[...name].slice(0, longest).join("")}…` : name);

function placeOf({ agent, note, group, field }: Fault): string {
  const name = agent ? shortened(displayName(agent)) : group ? shortened(group.name || group.id) : "";
  if (field === "layout") return t("clip.positionOf", { name });
  if (name) return t("clip.fieldOf", { name, field: fieldName(t, field) });
  return note ? t("clip.ofNote") : t("clip.ofTeam");
}

function reasonOf({ why, most = 0 }: Fault): string {
  if (why === "long" || why === "total") return t(`clip.fault.${why}`, { most: formatBytes(most) });
  if (why === "number" || why === "many") return t(`clip.fault.${why}`, { most: formatNumber(most) });
  return t(`clip.fault.${why}`);
}

/** Why the hub wouldn't take a team after a paste, and where; undefined if it would. */
export function pasteFault(after: Topology, before: Topology): string | undefined {
  const fault = faultOf(after, before);
  return fault && t("clip.refused", { where: placeOf(fault), why: reasonOf(fault) });
}
