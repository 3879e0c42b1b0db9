import { routesOf, whoAnswers } from "../api/routes";
import type { RouteAnswer, RouteFrom, RouteTable } from "../topology";
import { useRead, type Read } from "./read";
import { useTarget, useTeam } from "./team";

/** The routes are read again once an edit is saved, and when another config of the gateway was kept. */
function useStand() {
  const team = useTeam((s) => s.id),
    gateway = useTeam((s) => s.gateway),
    saved = useTeam((s) => s.save.state === "saved"),
    updated = useTeam((s) => s.updatedAt),
    base = useTeam((s) => s.base?.snapshotId),
    target = useTarget();
  return { team, gateway, on: [updated, saved, base, target?.keptHash] };
}

/** The channels of the team's gateway, and the team's bindings in the order of the gateway. */
export function useRoutes(): Read<RouteTable> {
  const { team, gateway, on } = useStand();
  return useRead({ key: ["routes", team, gateway], on, when: !!team, read: () => routesOf(team) });
}

/** Which agent answers a message, once the person asked. */
export function useAnswer(from: RouteFrom | undefined): Read<RouteAnswer> {
  const { team, gateway, on } = useStand();
  return useRead({
    key: ["answer", team, gateway, JSON.stringify(from)],
    on,
    when: !!team && !!from,
    keep: true,
    read: () => whoAnswers(team, from ?? { channel: "" }),
  });
}
