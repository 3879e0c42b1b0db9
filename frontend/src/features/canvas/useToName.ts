import { useEffect } from "react";
import { useUi } from "@/stores/ui";

/** Has a group's name written when somebody asks for it. */
export function useToName(enabled: boolean, write: (what: { group: string }) => void): void {
  useEffect(
    () =>
      useUi.subscribe(({ toName }, was) => {
        if (toName && toName !== was.toName && enabled) write(toName);
      }),
    [enabled, write],
  );
}
