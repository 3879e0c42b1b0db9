import { useTeam } from "@/stores/team";
import { BundleDialog } from "./BundleDialog";
import { useDialogs } from "./dialogs";
import { ExportDialog } from "./ExportDialog";
import { FileDialog } from "./FileDialog";
import { ImportDialog } from "./ImportDialog";
import { NewDialog } from "./NewDialog";
import { PictureDialog } from "./PictureDialog";
import { TemplateDialog } from "./TemplateDialog";

/** Everything about teams that may open over any screen. `addGateway` leads to the form for a new gateway. */
export function TeamDialogs({ addGateway }: { addGateway: () => void }) {
  const open = useDialogs((s) => s.open),
    file = useDialogs((s) => s.file),
    ready = useTeam((s) => s.status === "ready");
  return (
    <>
      {open === "new" && <NewDialog />}
      {open === "import" && <ImportDialog addGateway={addGateway} />}
      {open === "export" && ready && <ExportDialog />}
      {open === "bundle" && ready && <BundleDialog />}
      {open === "picture" && ready && <PictureDialog />}
      {open === "template" && ready && <TemplateDialog />}
      {file && <FileDialog file={file} />}
    </>
  );
}
