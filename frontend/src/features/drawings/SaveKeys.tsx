import { useEffect } from "react";
import { useDrawing } from "@/stores/drawing";
import { composing, mod } from "@/ui";
import { saveFile, saveFileAs } from "./files";

/** Ctrl+S and ⌘S save to the drawing's file, with Shift to another, from everywhere; the browser's own saving of the page means nothing here. */
export function SaveKeys() {
  useEffect(() => {
    const onKey = (e: KeyboardEvent) => {
      if (composing(e) || !mod(e) || e.altKey || e.key.toLowerCase() !== "s") return;
      e.preventDefault();
      if (e.repeat || useDrawing.getState().status !== "ready" || document.querySelector("[role=dialog]")) return;
      void (e.shiftKey ? saveFileAs() : saveFile());
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  return null;
}
