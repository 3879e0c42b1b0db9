import { useEffect } from "react";
import { composing, inField, mod } from "@/ui";
import type { PreviewChange } from "@/topology";
import { step } from "./changes";
import { back } from "./ReviewFrame";
import { sendApply, show, useReview } from "./store";

const forward = new Set(["n", "j", "ArrowDown", "ArrowRight"]);
const backward = new Set(["p", "k", "ArrowUp", "ArrowLeft"]);

/** n and p or the arrows step through the changes, Ctrl/⌘ and Enter applies, Escape goes back to the drawing. */
export function useReviewKeys(order: readonly PreviewChange[], ready: boolean): void {
  useEffect(() => {
    const onKey = (e: KeyboardEvent) => {
      const target = e.target as HTMLElement | null;
      if (composing(e) || inField(target) || document.querySelector("[role=dialog]")) return;
      const sends = mod(e) && !e.altKey && e.key === "Enter"; // also from a checkbox, which keeps Enter for itself
      if (e.defaultPrevented && !sends) return;
      const arrow = e.key.startsWith("Arrow");
      if (sends) {
        if (ready) void sendApply();
      } else if (e.ctrlKey || e.metaKey || e.altKey) return;
      else if (e.key === "Escape") back();
      else if (
        arrow &&
        target?.closest("[role=separator], [role=radiogroup], [role=group], .textdiff, .react-flow__node")
      )
        return;
      else if (forward.has(e.key) || backward.has(e.key))
        show(step(order, useReview.getState().shown, forward.has(e.key) ? 1 : -1));
      else return;
      e.preventDefault();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [order, ready]);
}
