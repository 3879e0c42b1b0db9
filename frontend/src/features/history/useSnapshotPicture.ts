import { gatewayActions } from "@/stores/gateways";
import { useRead } from "@/stores/read";
import { useTeam } from "@/stores/team";
import type { Picture } from "@/topology";

type Shown = Picture & { of: string };

/**
 * Snapshot B of a gateway as a team, with what it changed since A; alone when there is no A. It has the layout of the
 * open team, if that is the gateway's. The picture before stays until the next is here.
 */
export function useSnapshotPicture(gateway: string, a: string | undefined, b = "") {
  const team = useTeam((s) => (s.gateway === gateway && s.status === "ready" ? s.id : undefined)),
    saved = useTeam((s) => s.updatedAt);
  const { data, error, again } = useRead<Shown>({
    key: ["snapshot", gateway, a, b, team],
    on: [saved],
    when: !!gateway && !!b,
    keep: true,
    read: () => gatewayActions.snapshot(gateway, b, { with: a, team }).then((r) => ({ of: gateway, ...r })),
  });
  return { shown: data?.of === gateway ? data : undefined, error, retry: again };
}
