import { useLayoutEffect, useRef, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import { isChannelNode } from "@/flow";
import { Kbd, keysOf } from "@/ui";
import { nameOf } from "./actions";
import { useConnecting } from "./connecting";
import { useLane } from "./lane";

/** The name of what a line begins at: an agent, or a channel. */
const endName = (id: string) => useLane.getState().lane.nodes.find((n) => n.id === id)?.data.channel ?? nameOf(id);

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
  const line = moving && "line" in moving ? moving : undefined,
    words =
      line?.end === "from" ? { from: nameOf(aimed), to: endName(from) } : { from: endName(from), to: nameOf(aimed) };
  const here = targets?.has(aimed);
  if (line ? aimed === line.line[line.end] : moving && !here) return null;
  return (
    <span ref={tip} className="tip pointer-events-none absolute -translate-x-1/2">
      {isChannelNode(from)
        ? t("canvas.routes.bindHere", words)
        : moving
          ? t(here ? "gesture.moveHere" : "gesture.movedThere", words)
          : t(here ? "gesture.dropHere" : "gesture.alreadyConnected", words)}
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
      <b>{aimed ? `${endName(from)} → ${nameOf(aimed)}` : t("gesture.connectFrom", { name: endName(from) })}</b>
      <span className="cap">{t(isChannelNode(from) ? "canvas.routes.pickAgent" : "gesture.pickTarget")}</span>
      <Kbd keys={keysOf("stopConnecting")} />
    </div>
  );
}
