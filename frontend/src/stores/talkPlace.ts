import type { AgentID } from "../topology";
import { useTeam } from "./team";
import { goTo } from "./routes";

/** Goes to the session with an agent, at the gateway that the team is for. */
export const chatWith = (agent: AgentID) =>
  goTo("sessions", { gateway: useTeam.getState().gateway }, [`agent:${agent}:main`]);
