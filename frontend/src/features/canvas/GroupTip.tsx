import { useTranslation } from "react-i18next";
import { useDrawing } from "@/stores/drawing";
import { findGroup, groupOf } from "@/topology";
import { nameOf } from "./actions";
import type { Landing } from "./dragging";
import { groupName } from "./groups";

/** The group that lights up: the one into which something would go. */
export const dropTarget = (l: Landing | undefined) => [...(l?.agents.values() ?? []), ...(l?.groups.values() ?? [])].find((g) => g !== undefined);

/** While something is dragged: into or out of which group it would go. */
export function GroupTip({ landed }: { landed: Landing | undefined }) {
  const { t } = useTranslation();
  const topology = useDrawing((s) => s.topology);
  const [agent] = landed?.agents ?? [], [group] = landed?.groups ?? [], one = agent ?? group;
  if (!landed || !one) return null;
  const into = dropTarget(landed), n = landed.agents.size + landed.groups.size;
  const name = n > 1 ? t("group.things", { count: n }) : agent ? nameOf(agent[0]) : groupName(findGroup(topology, one[0]));
  const from = agent ? groupOf(topology, agent[0]) : findGroup(topology, findGroup(topology, one[0])?.parent);
  return <div className="float top-3 left-1/2 -translate-x-1/2 px-3! py-1.5!" role="status"><span>{into ? t("group.dropInto", { name, group: groupName(findGroup(topology, into)) }) : t("group.dropOut", { name, group: groupName(from) })}</span></div>;
}
