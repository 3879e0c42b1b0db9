import { driftActions } from "@/stores/drift";
import { useTeam } from "@/stores/team";
import { useGateways } from "@/stores/gateways";
import { useRead } from "@/stores/read";

/** A gateway compared with what is drawn, again whenever either changes. What was shown stays until the next is here. */
export function useDrift(gateway: string) {
  const id = useTeam((s) => (s.status === "ready" ? s.id : "")),
    updatedAt = useTeam((s) => s.updatedAt);
  const g = useGateways().find((x) => x.name === gateway);
  const { data, error, again } = useRead({
    key: ["drift", id, gateway],
    on: [updatedAt, g?.configHash, g?.state],
    when: !!id && !!gateway,
    read: () => driftActions.read(id, gateway),
  });
  return { drift: error ? undefined : data, error, retry: again };
}
