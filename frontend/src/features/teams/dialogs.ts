import { create } from "zustand";
import type { GivenFile } from "@/stores/teams";

export type DialogName = "new" | "import" | "export" | "bundle" | "picture" | "template";
type Dialogs = {
  open?: DialogName;
  renaming: boolean;
  /** A file that waits for the person to say where it goes. */ file?: GivenFile;
};

/** Which of the dialogs about teams is open; they live outside the screens, so that the palette reaches them too. */
export const useDialogs = create<Dialogs>()(() => ({ renaming: false }));

export const openDialog = (open: DialogName) => useDialogs.setState({ open });
export const closeDialog = () => useDialogs.setState({ open: undefined, file: undefined });
export const setRenaming = (renaming: boolean) => useDialogs.setState({ renaming });
export const lookAt = (file: GivenFile) => useDialogs.setState({ file, open: undefined });
