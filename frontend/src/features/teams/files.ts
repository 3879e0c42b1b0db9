import { i18next } from "@/i18n";
import { useTeam } from "@/stores/team";
import { teamActions, type GivenFile } from "@/stores/teams";
import { asApiError, attempt } from "@/stores/faults";
import { recentActions, type RecentFile } from "@/stores/recent";
import { toast } from "@/ui";
import { exported } from "./actions";
import { lookAt, openDialog } from "./dialogs";

const t = i18next.t;
const saved = (where: string) =>
  toast({ tone: "done", text: t("teams.savedFile", { where }), closeLabel: t("common.close") });

/** Shows what a file of the recent ones would bring; one that is gone may be taken off the list. */
export const openRecent = (f: RecentFile) =>
  attempt("openFile", async () => {
    const file = await recentActions.reopen(f.id);
    if (file) {
      lookAt(file);
      return;
    }
    toast({
      tone: "failed",
      text: t("files.gone", { name: f.folder ? `${f.folder}/${f.name}` : f.name }),
      closeLabel: t("common.close"),
      action: { label: t("files.forget"), run: () => void attempt("openFile", () => recentActions.forget(f.id)) },
    });
  });

/** Saves the open team to the file it came from, and asks where to if there is none. */
export const saveFile = () =>
  attempt("export", async () => {
    const { id } = useTeam.getState(),
      origin = await recentActions.originOf(id);
    const now = origin && (await recentActions.reopen(origin.file));
    if (!origin || !now?.place) {
      await saveAs();
      return;
    }
    if (now.place.stamp === origin.stamp) {
      await writeOver(id, now);
      return;
    }
    toast({
      tone: "failed",
      text: t("files.changed", { name: now.name }),
      closeLabel: t("common.close"),
      action: { label: t("files.overwrite"), run: () => void attempt("export", () => writeOver(id, now)) },
    });
  });

/** Saves the open team as a team file, which holds all of it, where the person says. */
export const saveFileAs = () => attempt("export", saveAs);

async function saveAs(): Promise<void> {
  const { id } = useTeam.getState(),
    out = await exported("agentflow");
  if (out.losses.length) {
    openDialog("export");
    return;
  }
  const file = await teamActions.saveTeamFile(out.filename, out.text);
  if (!file) return;
  if (file.place) recentActions.setOrigin(id, { ...file.place, name: file.name });
  saved(file.name);
}

async function writeOver(id: string, now: GivenFile): Promise<void> {
  if (!now.place) return;
  if (useTeam.getState().id === id && !(await useTeam.getState().flush()))
    throw asApiError(useTeam.getState().save.error);
  const out = await recentActions.over(id, now.name, now.text ?? "");
  if (out.losses.length) {
    openDialog("export");
    return;
  }
  const stamp = await recentActions.rewrite(now.place.file, now.place.stamp, out.text);
  recentActions.setOrigin(id, { file: now.place.file, stamp, name: now.name });
  saved(now.name);
}
