import { useDrawing } from "@/stores/drawing";
import { useDialogs } from "./dialogs";
import { ExportDialog } from "./ExportDialog";
import { FileDrop } from "./FileDrop";
import { ImportDialog } from "./ImportDialog";
import { NewDialog } from "./NewDialog";

/** Everything about drawings that may open over any screen. `addGateway` leads to the form for a new gateway. */
export function DrawingDialogs({ addGateway }: { addGateway: () => void }) {
  const open = useDialogs((s) => s.open), ready = useDrawing((s) => s.status === "ready");
  return (
    <>
      {open === "new" && <NewDialog />}
      {open === "import" && <ImportDialog addGateway={addGateway} />}
      {open === "export" && ready && <ExportDialog />}
      <FileDrop />
    </>
  );
}
