import type { Candidate } from "@/topology";

/** An agent of an added gateway, as tasks name it: agent@gateway. */
export function atGateway(id: string): { agent: string; gateway: string } | undefined {
  const at = id.indexOf("@");
  return at > 0 && at < id.length - 1 ? { agent: id.slice(0, at), gateway: id.slice(at + 1) } : undefined;
}

/** Whether an agent is offered: one of an added gateway only where it can answer, or is chosen already. */
export const offered = (a: Candidate, chosen: string): boolean => !a.gateway || a.can.length > 0 || a.id === chosen;
