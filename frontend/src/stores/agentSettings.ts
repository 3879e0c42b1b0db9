import { hub } from "../api/hub";
import type { AgentSettings } from "../topology";
import { useHub } from "./hub";
import { useRead, type Read } from "./read";

/** What a gateway says of the settings of its agents. It is read again when the gateway or its config changes. */
export function useAgentSettings(gateway: string): Read<AgentSettings> {
  const at = useHub((s) => s.gateways.find((g) => g.name === gateway));
  return useRead({
    key: ["agentSettings", gateway],
    on: [at?.state, at?.configHash, at?.serverVersion],
    when: !!gateway,
    read: (signal) => hub.agentSettings(gateway, signal),
  });
}
