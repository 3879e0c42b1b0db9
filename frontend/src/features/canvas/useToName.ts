import { useEffect } from "react";
import { useUi } from "@/stores/ui";

/** Opens a group's name for editing when asked. */
export function useToName(enabled: boolean, write: (what: { group: string }) => void): void {
  useEffect(
    () =>
      useUi.subscribe(({ toName }, was) => {
        if (toName && toName !== was.toName && enabled) write(toName);
      }),
    [enabled, write],
  );
}
