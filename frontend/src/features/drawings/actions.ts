import { i18next, shownLanguage } from "@/i18n";
import { countOps, countsText } from "@/i18n/counts";
import { gatewayName } from "@/i18n/gateway";
import { useDrawing } from "@/stores/drawing";
import { drawingActions, showDrawing, type GivenFile } from "@/stores/drawings";
import { asApiError, attempt } from "@/stores/faults";
import { useHub } from "@/stores/hub";
import { recentActions } from "@/stores/recent";
import { useUi } from "@/stores/ui";
import { nothing, type Drawing, type ExportFormat, type Imported, type NewDrawing } from "@/topology";
import { toast } from "@/ui";
import { lookAt } from "./dialogs";

const t = i18next.t;
const say = (text: string, undo?: () => unknown) =>
  toast({
    tone: "done",
    text,
    closeLabel: t("common.close"),
    action: undo && { label: t("common.undo"), run: () => void undo() },
  });

const toCanvas = () => {
  const ui = useUi.getState();
  ui.choose(nothing);
  ui.go("canvas");
};

/** Shows another drawing on the canvas. */
export function switchTo(id: string): Promise<boolean> {
  return attempt("open", async () => {
    await showDrawing(id);
    toCanvas();
  });
}

/** Rejects when it could not be made, for the dialog that asked. */
export async function startDrawing(body: NewDrawing): Promise<Drawing> {
  const made = await drawingActions.create({ ...body, language: shownLanguage() });
  toCanvas();
  return made;
}

export const startEmpty = () => attempt("create", () => startDrawing({}));

export const rename = (name: string) => attempt("rename", () => useDrawing.getState().rename(name));
export const sendTo = (gateway: string) => attempt("gateway", () => useDrawing.getState().setGateway(gateway));

export function duplicate(): Promise<boolean> {
  const { id, name, flush } = useDrawing.getState();
  return attempt("create", async () => {
    await flush();
    const made = await startDrawing({ copyOf: id, name: t("drawings.copyOf", { name }) });
    say(t("drawings.duplicated", { name: made.name }), () => forget(made.id, id));
  });
}

/** Copies a drawing and stays in the list. Returns the copy's id. */
export async function copyDrawing(id: string, name: string): Promise<string | undefined> {
  let made: string | undefined;
  await attempt("create", async () => {
    if (useDrawing.getState().id === id) await useDrawing.getState().flush();
    const copy = await drawingActions.make({
      copyOf: id,
      name: t("drawings.copyOf", { name }),
      language: shownLanguage(),
    });
    made = copy.id;
    say(t("drawings.duplicated", { name: copy.name }), () => attempt("remove", () => drawingActions.remove(copy.id)));
  });
  return made;
}

export const renameDrawing = (id: string, name: string) => attempt("rename", () => drawingActions.rename(id, name));

/** Deletes the drawing that is open and shows another; the toast brings it back. */
export const remove = () => removeDrawing(useDrawing.getState().id, useDrawing.getState().name, true);

/** Deletes any drawing; the toast brings it back, and so does the list of deleted ones. */
export function removeDrawing(id: string, name: string, back = false): Promise<boolean> {
  const open = useDrawing.getState().id === id;
  return attempt("remove", async () => {
    if (open) await leave(id);
    try {
      await drawingActions.remove(id);
    } catch (e) {
      if (open) await showDrawing(id);
      throw e;
    }
    say(t("drawings.deleted", { name }), () =>
      attempt("open", async () => {
        await drawingActions.undelete(id);
        if (open) await showDrawing(id);
        if (back) toCanvas();
      }),
    );
  });
}

export const restoreDrawing = (id: string, name: string) =>
  attempt("remove", async () => {
    await drawingActions.undelete(id);
    say(t("library.restored", { name }));
  });

/** For good; the dialog has asked. */
export const purgeDrawings = (ids: readonly string[]) =>
  attempt("remove", async () => {
    for (const id of ids) await drawingActions.purge(id);
  });

/** Goes to the newest other drawing, or to none. */
async function leave(id: string): Promise<void> {
  const next = useHub.getState().drawings.find((d) => d.id !== id);
  useUi.getState().choose(nothing);
  if (next) {
    await showDrawing(next.id);
    return;
  }
  await useDrawing.getState().flush();
  useDrawing.getState().close();
}

/** Takes back a drawing that was just made. */
const forget = (made: string, before: string) =>
  attempt("remove", async () => {
    if (before && useHub.getState().drawings.some((d) => d.id === before)) await showDrawing(before);
    else await leave(made);
    await drawingActions.remove(made);
  });

/** Undoes an import: it is one step, or two where what was not applied yet was merged on top. */
async function undoImport(got: Imported): Promise<void> {
  const steps = got.team.undoLabel?.startsWith("merge|") ? 2 : 1;
  for (let i = 0; i < steps; i++) if (!(await attempt("undo", useDrawing.getState().undo))) return;
}

const whatChanged = (got: Imported) => {
  const counts = countsText(t, countOps(got.changes)) || t("drawings.nothingChanged");
  return got.warnings.length ? t("drawings.withWarnings", { counts, count: got.warnings.length }) : counts;
};

/** The drawing that is open goes to this gateway, so an import lands in it. */
export const importsHere = (gateway: string) => {
  const d = useDrawing.getState();
  return d.status === "ready" && d.gateway === gateway;
};

/** Draws what a gateway holds: in the open drawing when that goes there, else as a new one. Rejects, for the dialog. */
export async function importFrom(gateway: string): Promise<void> {
  if (importsHere(gateway)) {
    const got = await useDrawing.getState().importGateway(gateway);
    toCanvas();
    say(t("drawings.imported", { from: gatewayName(t, gateway), what: whatChanged(got) }), () => undoImport(got));
    return;
  }
  const before = useDrawing.getState().id;
  const made = await startDrawing({ import: gateway, name: gatewayName(t, gateway) });
  say(
    t("drawings.importedNew", {
      from: gatewayName(t, gateway),
      agents: t("counts.agents", { count: made.topology.agents.length }),
    }),
    () => forget(made.id, before),
  );
}

/** The same from outside a dialog: a failure is told as a toast. */
export const importNow = (gateway: string) => void attempt("import", () => importFrom(gateway));

/** Lets the person choose a file, and shows what it would bring, as for one that is dropped. */
export const openFile = () =>
  attempt("openFile", async () => {
    const chosen = await drawingActions.openTeamFile();
    if (chosen) lookAt(chosen);
  });

/** Opens a team that was pasted, after the canvas has asked. */
export const openPasted = (file: GivenFile) => attempt("openFile", () => openGiven(file));

/** Opens a file as drawings of their own; one team file is what its drawing is saved to. Rejects, for the dialog. */
export async function openGiven(file: GivenFile, teams?: number[], format?: string): Promise<void> {
  const before = useDrawing.getState().id;
  const got = await drawingActions.openFile(file, teams);
  const [only, ...more] = got.teams;
  if (file.place && only && !more.length && format === "agentflow")
    recentActions.setOrigin(only, { ...file.place, name: file.name });
  toCanvas();
  const what =
    got.teams.length > 1
      ? t("opening.openedMany", { name: file.name, count: got.teams.length })
      : t("drawings.opened", { name: file.name, agents: t("counts.agents", { count: got.agents }) });
  say(what, async () => {
    for (const id of got.teams) await forget(id, before);
  });
}

/** Draws a team file into the open drawing, which can be undone. Rejects, for the dialog. */
export async function drawGiven(file: GivenFile): Promise<void> {
  const got = await useDrawing.getState().importFile({ text: file.text ?? "", filename: file.name });
  toCanvas();
  say(t("drawings.imported", { from: file.name, what: whatChanged(got) }), () => undoImport(got));
}

/** The open drawing as a file's text, with what the format cannot hold. */
export async function exported(format: ExportFormat) {
  const { id, flush } = useDrawing.getState();
  if (!(await flush())) throw asApiError(useDrawing.getState().save.error);
  return drawingActions.exportAs(id, format);
}

/** False when the person changed their mind. */
export async function save(filename: string, content: string | Blob): Promise<boolean> {
  const where =
    typeof content === "string"
      ? (await drawingActions.saveTeamFile(filename, content))?.name
      : await drawingActions.saveBytes(filename, content);
  if (where) say(t("drawings.savedFile", { where }));
  return !!where;
}

// --- templates

/** Keeps the open drawing as a template. Rejects, for the dialog. */
export async function keepTemplate(name: string, description: string): Promise<void> {
  const { id, flush } = useDrawing.getState();
  if (!(await flush())) throw asApiError(useDrawing.getState().save.error);
  const { template, removed } = await drawingActions.keepTemplate({ team: id, name, description });
  say(
    removed
      ? t("library.keptWithout", { name: template.name, count: removed })
      : t("library.kept", { name: template.name }),
    () => attempt("remove", () => drawingActions.deleteTemplate(template.id)),
  );
}

export const renameTemplate = (id: string, name: string, description: string) =>
  attempt("rename", () => drawingActions.amendTemplate(id, { name, description }));

export const removeTemplate = (id: string, name: string) =>
  attempt("remove", async () => {
    await drawingActions.deleteTemplate(id);
    say(t("drawings.deleted", { name }), () => attempt("remove", () => drawingActions.undeleteTemplate(id)));
  });
