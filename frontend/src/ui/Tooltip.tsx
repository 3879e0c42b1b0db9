import { Tooltip as T } from "radix-ui";
import type { ReactNode } from "react";
import { Kbd } from "./Kbd";

type Props = { label: ReactNode; keys?: string; side?: "top" | "right" | "bottom" | "left"; children: ReactNode };

/** Names what it wraps. Needs one TooltipProvider above. */
export function Tooltip({ label, keys, side = "bottom", children }: Props) {
  return (
    <T.Root>
      <T.Trigger asChild>{children}</T.Trigger>
      <T.Portal>
        <T.Content className="tip" side={side} sideOffset={5} collisionPadding={8}>
          {label}
          {keys && <Kbd keys={keys} />}
        </T.Content>
      </T.Portal>
    </T.Root>
  );
}

export function TooltipProvider({ children }: { children: ReactNode }) {
  return <T.Provider delayDuration={500} skipDelayDuration={200} disableHoverableContent>{children}</T.Provider>;
}
