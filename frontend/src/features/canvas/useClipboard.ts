import { useReactFlow } from "@xyflow/react";
import { useCallback, useEffect, useRef, type RefObject } from "react";
import type { Point } from "@/topology";
import { fieldGone, inField } from "@/ui";
import { copyText, pasteByMenu, pasteText, removeCut } from "./clipboard";

type Options = { area: RefObject<HTMLElement | null>; enabled: boolean; openTeam?: (text: string) => void };

/** A field (also one that has vanished), a dialog or a text that is selected keeps the clipboard's keys to itself. */
const ours = () => !inField(document.activeElement) && !fieldGone() && (getSelection()?.isCollapsed ?? true);

/** The clipboard's keys on the canvas. Its events bring the clipboard along, so nothing has to be permitted. */
export function useClipboard({ area, enabled, openTeam }: Options): (at?: Point) => void {
  const flow = useReactFlow();
  const pointer = useRef<Point>(undefined);
  useEffect(() => {
    const el = area.current;
    if (!enabled || !el) return;
    const copy = (e: ClipboardEvent) => {
      if (!ours() || e.defaultPrevented || !e.clipboardData) return;
      const text = copyText();
      if (text === undefined) return;
      e.preventDefault();
      e.clipboardData.setData("text/plain", text);
      if (e.type === "cut") removeCut();
    };
    const paste = (e: ClipboardEvent) => {
      if (!ours() || e.defaultPrevented || !e.clipboardData) return;
      e.preventDefault();
      pasteText(e.clipboardData.getData("text/plain"), { flow, area, pointer: pointer.current }, openTeam);
    };
    // Where no text is selected WebKit offers the events only to a page that asks for them.
    const ask = (e: Event) => {
      if (ours()) e.preventDefault();
    };
    const before = ["beforecopy", "beforecut", "beforepaste"];
    const move = (e: PointerEvent) => {
      pointer.current = { x: e.clientX, y: e.clientY };
    };
    const leave = () => {
      pointer.current = undefined;
    };
    for (const name of before) document.addEventListener(name, ask);
    document.addEventListener("copy", copy);
    document.addEventListener("cut", copy);
    document.addEventListener("paste", paste);
    el.addEventListener("pointermove", move);
    el.addEventListener("pointerleave", leave);
    return () => {
      for (const name of before) document.removeEventListener(name, ask);
      document.removeEventListener("copy", copy);
      document.removeEventListener("cut", copy);
      document.removeEventListener("paste", paste);
      el.removeEventListener("pointermove", move);
      el.removeEventListener("pointerleave", leave);
    };
  }, [area, enabled, flow, openTeam]);
  return useCallback((at) => void pasteByMenu({ flow, area, pointer: at }, openTeam), [area, flow, openTeam]);
}
