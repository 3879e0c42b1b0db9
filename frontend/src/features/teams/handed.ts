import { teamActions, onFileHanded } from "@/stores/teams";
import { reportFault } from "@/stores/faults";
import { lookAt, useDialogs } from "./dialogs";

/** Looks at the files that the program is started with, as at one that is dropped: one after the other. */
export function watchHanded(): () => void {
  let waiting = 0;
  const take = () => {
    if (waiting === 0 || useDialogs.getState().file) return;
    waiting--;
    teamActions.takeFile().then(
      (file) => {
        if (file) lookAt(file);
      },
      (err: unknown) => reportFault("openFile", err),
    );
  };
  const offs = [
    onFileHanded((n) => {
      waiting = n;
      take();
    }),
    useDialogs.subscribe((s, before) => {
      if (before.file && !s.file) take();
    }),
  ];
  return () => {
    for (const off of offs) off();
  };
}
