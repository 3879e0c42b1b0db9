import { FileInput } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { teamActions } from "@/stores/teams";
import { reportFault } from "@/stores/faults";
import { lookAt } from "./dialogs";

const hasFiles = (e: DragEvent) => !!e.dataTransfer?.types.includes("Files");

/** A file dropped anywhere on the window is looked at, instead of taking the page's place. */
export function FileDrop() {
  const { t } = useTranslation();
  const [over, setOver] = useState(false);
  useEffect(() => {
    const onOver = (e: DragEvent) => {
      if (!hasFiles(e) || !e.dataTransfer) return;
      e.preventDefault();
      e.dataTransfer.dropEffect = "copy";
      setOver(true);
    };
    const onLeave = (e: DragEvent) => {
      if (!e.relatedTarget) setOver(false);
    };
    const onDrop = (e: DragEvent) => {
      if (!hasFiles(e)) return;
      e.preventDefault();
      setOver(false);
      const file = e.dataTransfer?.files[0],
        item = [...(e.dataTransfer?.items ?? [])].find((i) => i.kind === "file");
      if (file) teamActions.readDropped(file, item).then(lookAt, (err: unknown) => reportFault("openFile", err));
    };
    document.addEventListener("dragover", onOver);
    document.addEventListener("dragleave", onLeave);
    document.addEventListener("drop", onDrop);
    return () => {
      document.removeEventListener("dragover", onOver);
      document.removeEventListener("dragleave", onLeave);
      document.removeEventListener("drop", onDrop);
    };
  }, []);
  if (!over) return null;
  return (
    <div
      className="pointer-events-none fixed inset-0 z-[var(--z-dialog)] grid place-items-center bg-accent-soft/70 p-6"
      role="status"
    >
      <div className="row rounded-[var(--r-3)] border-2 border-dashed border-accent-text bg-raised px-6 py-5 text-14">
        <FileInput size={20} aria-hidden />
        <b>{t("teams.dropNew")}</b>
      </div>
    </div>
  );
}
