import { useRef, type KeyboardEvent, type PointerEvent } from "react";
import { cx } from "./cx";
import { textScale } from "./width";

export type SplitProps = {
  label: string;
  /** Which edge of its panel it lies on. */
  edge: "left" | "right" | "top";
  size: number;
  min: number;
  max: number;
  onSize: (size: number) => void;
  /** Double-click: fold, or back to the usual size. */
  onFold: () => void;
};

/** Drags a panel's edge; arrow keys move it by 16 (with Shift by 64), Home and End to its ends, Enter or a double-click folds. */
export function SplitHandle({ label, edge, size, min, max, onSize, onFold }: SplitProps) {
  const start = useRef<{ at: number; size: number } | null>(null);
  const axis = edge === "top" ? "clientY" : "clientX";
  const sign = edge === "right" ? 1 : -1;
  const set = (n: number) => onSize(Math.round(Math.min(max, Math.max(min, n))));

  const onPointerDown = (e: PointerEvent<HTMLElement>) => {
    e.preventDefault();
    e.currentTarget.setPointerCapture(e.pointerId);
    e.currentTarget.dataset.dragging = "true";
    start.current = { at: e[axis], size };
  };
  const onPointerMove = (e: PointerEvent) => {
    if (start.current) set(start.current.size + (sign * (e[axis] - start.current.at)) / textScale());
  };
  const end = (e: PointerEvent<HTMLElement>) => {
    start.current = null;
    delete e.currentTarget.dataset.dragging;
  };
  const onKeyDown = (e: KeyboardEvent) => {
    const grow = edge === "top" ? "ArrowUp" : edge === "left" ? "ArrowLeft" : "ArrowRight";
    const shrink = edge === "top" ? "ArrowDown" : edge === "left" ? "ArrowRight" : "ArrowLeft";
    const by = e.shiftKey ? 64 : 16;
    if (e.key === grow) set(size + by);
    else if (e.key === shrink) set(size - by);
    else if (e.key === "Home") set(min);
    else if (e.key === "End") set(max);
    else if (e.key === "Enter") onFold();
    else return;
    e.preventDefault();
    e.stopPropagation();
  };
  return (
    <div
      role="separator"
      tabIndex={0}
      aria-keyshortcuts="Home End Enter"
      aria-label={label}
      aria-orientation={edge === "top" ? "horizontal" : "vertical"}
      aria-valuenow={size}
      aria-valuemin={min}
      aria-valuemax={max}
      className={cx("split", edge === "top" ? "split--h" : "split--v", edge === "right" && "split--end")}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={end}
      onPointerCancel={end}
      onDoubleClick={onFold}
      onKeyDown={onKeyDown}
    />
  );
}
