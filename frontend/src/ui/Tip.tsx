import { Tooltip as T } from "radix-ui";
import { useEffect, useState } from "react";
import { Kbd } from "./Kbd";
import type { Side } from "./Tooltip";

const read = ({ dataset: { tip, tipKeys, tipSide } }: HTMLElement) => ({
  label: tip ?? "",
  keys: tipKeys,
  side: (tipSide ?? "bottom") as Side,
});

/** The tip beside an element, for as long as the element is to be seen. */
export function Tip({ of, onGone }: { of: HTMLElement; onGone: () => void }) {
  const [{ label, keys, side }, set] = useState(() => read(of));
  const { left, top, width, height } = of.getBoundingClientRect();
  useEffect(() => {
    const words = new MutationObserver(() => set(read(of)));
    words.observe(of, { attributes: true, attributeFilter: ["data-tip", "data-tip-keys"] });
    const sight = new IntersectionObserver(([e]) => {
      if (!e?.isIntersecting) onGone();
    });
    sight.observe(of);
    return () => {
      words.disconnect();
      sight.disconnect();
    };
  }, [of, onGone]);
  return (
    <T.Provider>
      <T.Root
        open
        onOpenChange={(open) => {
          if (!open) onGone();
        }}
      >
        <T.Trigger asChild>
          <span className="pointer-events-none invisible fixed" style={{ left, top, width, height }} />
        </T.Trigger>
        <T.Portal>
          <T.Content className="tip" side={side} sideOffset={5} collisionPadding={8}>
            {label}
            {keys && <Kbd keys={keys} />}
          </T.Content>
        </T.Portal>
      </T.Root>
    </T.Provider>
  );
}
