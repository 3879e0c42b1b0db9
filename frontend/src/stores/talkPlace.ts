import type { AgentID } from "../topology";
import { useDrawing } from "./drawing";

export const sessionsScreen = "sessions";

/** The address of sessions within the page: the gateway, and those that are open side by side. */
export const sessionsAddress = (gateway: string, keys: readonly string[]) =>
  `#/${[sessionsScreen, gateway, ...keys].map(encodeURIComponent).join("/")}`;

/** Goes to the session with an agent, at the gateway that the drawing is for. */
export function chatWith(agent: AgentID): void {
  location.hash = sessionsAddress(useDrawing.getState().gateway, [`agent:${agent}:main`]);
}
