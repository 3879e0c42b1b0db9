import { useTranslation } from "react-i18next";
import { refusedWhy } from "@/flow/teamFault";
import type { ApiError } from "@/stores/faults";
import { useTeam } from "@/stores/team";

/** Why the hub refused the team, in the person's language. The check of a team is fetched once one was refused. */
export function RefusedWhy({ error }: { error: ApiError }) {
  const { t } = useTranslation();
  const topology = useTeam((s) => s.topology);
  return refusedWhy(t, error, topology);
}
