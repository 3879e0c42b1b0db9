import { useTranslation } from "react-i18next";
import { useTeam } from "@/stores/team";
import { findGroup, groupOf, type AgentID } from "@/topology";
import { nameOf } from "./actions";
import type { Landing } from "./dragging";
import { groupName } from "./groups";

/** The group that lights up: the one into which something would go. */
export const dropTarget = (l: Landing | undefined) =>
  [...(l?.agents.values() ?? []), ...(l?.groups.values() ?? [])].find((g) => g !== undefined);

type Props = { landed: Landing | undefined; /** Who would talk in a new room. */ room: readonly AgentID[] | undefined };

/** While something is dragged: into or out of which group it would go, or that it makes a room. */
export function GroupTip({ landed, room }: Props) {
  const { t } = useTranslation();
  const topology = useTeam((s) => s.topology);
  const [agent] = landed?.agents ?? [],
    [group] = landed?.groups ?? [],
    one = agent ?? group;
  if (room) return <Tip>{t("grouping.dropRoom", { count: room.length })}</Tip>;
  if (!landed || !one) return null;
  const into = dropTarget(landed),
    n = landed.agents.size + landed.groups.size;
  const name =
    n > 1 ? t("grouping.things", { count: n }) : agent ? nameOf(agent[0]) : groupName(findGroup(topology, one[0]));
  const from = agent ? groupOf(topology, agent[0]) : findGroup(topology, findGroup(topology, one[0])?.parent);
  return (
    <Tip>
      {into
        ? t("grouping.dropInto", { name, group: groupName(findGroup(topology, into)) })
        : t("grouping.dropOut", { name, group: groupName(from) })}
    </Tip>
  );
}

const Tip = ({ children }: { children: string }) => (
  <div className="float top-3 left-1/2 -translate-x-1/2 px-3! py-1.5!" role="status">
    <span>{children}</span>
  </div>
);
