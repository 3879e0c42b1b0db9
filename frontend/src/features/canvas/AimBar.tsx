import { useLayoutEffect, useRef, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import { Kbd, keysOf } from "@/ui";
import { nameOf } from "./actions";
import { useConnecting } from "./connecting";

/** While a line is dragged: what dropping it here would permit. */
export function DropTip({ area }: { area: RefObject<HTMLElement | null> }) {
  const { t } = useTranslation();
  const { from, aimed, byKeys, targets, moving } = useConnecting();
  const tip = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const box =
      aimed &&
      area.current?.querySelector(`.react-flow__node[data-id="${CSS.escape(aimed)}"]`)?.getBoundingClientRect();
    const own = area.current?.getBoundingClientRect();
    if (box && own && tip.current)
      Object.assign(tip.current.style, {
        left: `${box.left - own.left + box.width / 2}px`,
        top: `${Math.max(4, box.top - own.top - 30)}px`,
      });
  }, [aimed, area]);
  if (!from || byKeys || !aimed || aimed === from) return null;
  const words =
    moving?.end === "from" ? { from: nameOf(aimed), to: nameOf(from) } : { from: nameOf(from), to: nameOf(aimed) };
  const here = targets?.has(aimed);
  if (moving && aimed === moving.line[moving.end]) return null;
  return (
    <span ref={tip} className="tip pointer-events-none absolute -translate-x-1/2">
      {moving
        ? t(here ? "canvas.moveHere" : "canvas.movedThere", words)
        : t(here ? "canvas.dropHere" : "canvas.alreadyConnected", words)}
    </span>
  );
}

/** What the keys do while a connection is drawn with them. */
export function AimBar() {
  const { t } = useTranslation();
  const { from, aimed, byKeys } = useConnecting();
  if (!from || !byKeys) return null;
  return (
    <div className="float top-3 left-1/2 -translate-x-1/2 gap-2! px-3! py-1.5!" role="status">
      <b>{aimed ? `${nameOf(from)} → ${nameOf(aimed)}` : t("canvas.connectFrom", { name: nameOf(from) })}</b>
      <span className="cap">{t("canvas.pickTarget")}</span>
      <Kbd keys={keysOf("stopConnecting")} />
    </div>
  );
}
