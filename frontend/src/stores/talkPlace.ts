import type { AgentID } from "../topology";
import { useDrawing } from "./drawing";
import { goTo } from "./routes";

/** Goes to the session with an agent, at the gateway that the drawing is for. */
export const chatWith = (agent: AgentID) =>
  goTo("sessions", { gateway: useDrawing.getState().gateway }, [`agent:${agent}:main`]);
