import { useHub } from "./hub";
import { useTeam } from "./team";

/** The name of the open team's gateway if it was removed from the hub, otherwise "". */
export function useTargetGone(): string {
  const gateway = useTeam((s) => (s.status === "ready" ? s.gateway : ""));
  const known = useHub((s) => s.link !== "open" || !s.gateways.length || s.gateways.some((g) => g.name === gateway));
  return known ? "" : gateway;
}
