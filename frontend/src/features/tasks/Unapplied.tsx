import { useTranslation } from "react-i18next";
import { useTasks } from "@/stores/tasks";
import { useTarget, useTeam } from "@/stores/team";
import { useUi } from "@/stores/ui";
import { plainName, type Agent, type Candidate } from "@/topology";

/** Whether a team runs nowhere yet: none of its agents is among those that get tasks. */
export const runsNowhere = (
  drawn: readonly Pick<Agent, "id">[],
  applied: readonly Pick<Candidate, "id" | "gateway">[],
) =>
  drawn.length > 0 &&
  applied.some((a) => !a.gateway) &&
  !drawn.some(({ id }) => applied.some((a) => !a.gateway && a.id === id));

/** Says that a task won't go to the team that is open, where that isn't applied yet. */
export function Unapplied() {
  const { t } = useTranslation();
  const agents = useTasks((s) => s.agents),
    here = useTarget()?.dialect === "local",
    drawn = useTeam((s) => s.topology.agents),
    name = useTeam((s) => plainName(s.name));
  if (!here || !runsNowhere(drawn, agents)) return null;
  return (
    <p className="hint pt-2" role="note">
      {t("tasks.to.unapplied", { name })}{" "}
      <button type="button" className="link" onClick={() => useUi.getState().go("review")}>
        {t("tasks.to.review")}
      </button>
    </p>
  );
}
