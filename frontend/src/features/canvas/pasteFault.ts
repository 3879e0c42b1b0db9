import { faultPlace, faultReason } from "@/flow/teamFault";
import { i18next } from "@/i18n";
import type { Topology } from "@/topology";
import { faultOf } from "@/topology/limits";

const t = i18next.t.bind(i18next);

/** Why the hub wouldn't take a team after a paste, and where; undefined if it would. */
export function pasteFault(after: Topology, before: Topology): string | undefined {
  const fault = faultOf(after, before);
  return fault && t("clip.refused", { where: faultPlace(t, fault), why: faultReason(t, fault) });
}
