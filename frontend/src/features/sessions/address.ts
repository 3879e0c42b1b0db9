import { useCallback, useMemo, useSyncExternalStore } from "react";
import { decoded } from "@/stores/address";
import { sessionsAddress, sessionsScreen as screen } from "@/stores/talkPlace";

const read = () => (location.hash.startsWith(`#/${screen}`) ? location.hash : "");
const subscribe = (on: () => void) => {
  addEventListener("hashchange", on);
  return () => removeEventListener("hashchange", on);
};

/** Which gateway is shown and which of its sessions are open: the address says so, so that Back, reload and a link work. */
export function useSessionsAddress(): {
  gateway: string;
  keys: string[];
  go: (gateway: string, keys: readonly string[]) => void;
} {
  const hash = useSyncExternalStore(subscribe, read);
  const [gateway, keys] = useMemo(() => {
    const [, name = "", ...rest] = hash.replace(/^#\//, "").split("/").map(decoded);
    return [name, rest.filter(Boolean)] as const;
  }, [hash]);
  return {
    gateway,
    keys,
    go: useCallback((name, open) => {
      location.hash = sessionsAddress(name, open);
    }, []),
  };
}
