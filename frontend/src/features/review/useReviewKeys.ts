import { useShortcuts } from "@/ui";
import type { PreviewChange } from "@/topology";
import { step } from "./changes";
import { sendApply, show, useReview } from "./store";

/** Keys that step through the changes and apply them. */
export function useReviewKeys(order: readonly PreviewChange[], ready: boolean): void {
  useShortcuts("review", {
    nextChange: (n, e) => {
      const widget = "[role=separator], [role=radiogroup], [role=group], .textdiff, .react-flow__node";
      if (e.key.startsWith("Arrow") && (e.target as HTMLElement).closest(widget)) return false;
      show(step(order, useReview.getState().shown, n % 2 ? -1 : 1));
    },
    apply: () => {
      if (ready) void sendApply();
    },
  });
}
