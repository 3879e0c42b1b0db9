import { create } from "zustand";

type Dialogs = { open?: "new" | "import" | "export"; renaming: boolean };

/** Which of the dialogs about drawings is open; they live outside the screens, so that the palette reaches them too. */
export const useDialogs = create<Dialogs>()(() => ({ renaming: false }));

export const openDialog = (open: Dialogs["open"]) => useDialogs.setState({ open });
export const closeDialog = () => useDialogs.setState({ open: undefined });
export const setRenaming = (renaming: boolean) => useDialogs.setState({ renaming });
