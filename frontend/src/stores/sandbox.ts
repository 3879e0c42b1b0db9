import { useEffect } from "react";
import { create } from "zustand";
import { hub } from "../api/hub";
import type { Sandbox } from "../topology";

const useRead = create<{ sandbox?: Sandbox }>()(() => ({}));

/** In what commands run on the hub's computer; it is read where that is shown, and unknown until then. */
export function useSandbox(wanted = true): Sandbox | undefined {
  useEffect(() => {
    if (wanted)
      hub.about().then(
        ({ sandbox }) => useRead.setState({ sandbox }),
        () => undefined,
      );
  }, [wanted]);
  return useRead((s) => s.sandbox);
}
