import { FileInput } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useDrawing } from "@/stores/drawing";
import { reportFault } from "@/stores/faults";
import { useUi } from "@/stores/ui";
import { dropFile } from "./actions";

const hasFiles = (e: DragEvent) => !!e.dataTransfer?.types.includes("Files");

/** A team file dropped on the canvas is drawn there; elsewhere a file does nothing, instead of taking the page's place. */
export function FileDrop() {
  const { t } = useTranslation();
  const [over, setOver] = useState(false);
  const canvas = useUi((s) => s.screen === "canvas"), name = useDrawing((s) => s.name), empty = useDrawing((s) => s.status !== "ready" || !s.topology.agents.length);
  useEffect(() => {
    const onOver = (e: DragEvent) => {
      if (!hasFiles(e) || !e.dataTransfer) return;
      e.preventDefault();
      e.dataTransfer.dropEffect = canvas ? "copy" : "none";
      setOver(canvas);
    };
    const onLeave = (e: DragEvent) => { if (!e.relatedTarget) setOver(false); };
    const onDrop = (e: DragEvent) => {
      if (!hasFiles(e)) return;
      e.preventDefault();
      setOver(false);
      const file = e.dataTransfer?.files[0];
      if (canvas && file) file.text().then((text) => dropFile({ name: file.name, text }), (err: unknown) => reportFault("openFile", err));
    };
    document.addEventListener("dragover", onOver);
    document.addEventListener("dragleave", onLeave);
    document.addEventListener("drop", onDrop);
    return () => { document.removeEventListener("dragover", onOver); document.removeEventListener("dragleave", onLeave); document.removeEventListener("drop", onDrop); };
  }, [canvas]);
  if (!over || !canvas) return null;
  return (
    <div className="pointer-events-none fixed inset-0 z-[var(--z-dialog)] grid place-items-center bg-accent-soft/70 p-6" role="status">
      <div className="row rounded-[var(--r-3)] border-2 border-dashed border-accent-text bg-raised px-6 py-5 text-14"><FileInput size={20} aria-hidden /><b>{empty ? t("drawings.dropNew") : t("drawings.dropHere", { name })}</b></div>
    </div>
  );
}
