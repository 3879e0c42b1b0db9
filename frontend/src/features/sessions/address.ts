import { useCallback } from "react";
import { goTo, useRoute } from "@/stores/routes";

/** The gateway that is shown, and its open sessions: the address names them, so that Back, reload and a link work. */
export function useSessionsAddress(): {
  gateway: string;
  keys: string[];
  go: (gateway: string, keys: readonly string[]) => void;
} {
  const { params, rest } = useRoute("sessions");
  return {
    gateway: params.gateway ?? "",
    keys: rest,
    go: useCallback((gateway, keys) => goTo("sessions", { gateway }, keys), []),
  };
}
