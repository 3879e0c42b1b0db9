import { i18next, shownLanguage } from "@/i18n";
import { countOps, countsText } from "@/i18n/counts";
import { gatewayName } from "@/i18n/gateway";
import { useTeam } from "@/stores/team";
import { teamActions, showTeam, type GivenFile } from "@/stores/teams";
import { asApiError, attempt } from "@/stores/faults";
import { useHub } from "@/stores/hub";
import { recentActions } from "@/stores/recent";
import { useUi } from "@/stores/ui";
import { nothing, type Team, type ExportFormat, type Imported, type NewTeam } from "@/topology";
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

/** Shows another team on the canvas. */
export function switchTo(id: string): Promise<boolean> {
  return attempt("open", async () => {
    await showTeam(id);
    toCanvas();
  });
}

/** Rejects when it could not be made, for the dialog that asked. */
export async function startTeam(body: NewTeam): Promise<Team> {
  const made = await teamActions.create({ ...body, language: shownLanguage() });
  toCanvas();
  return made;
}

export const startEmpty = () => attempt("create", () => startTeam({}));

export const rename = (name: string) => attempt("rename", () => useTeam.getState().rename(name));
export const sendTo = (gateway: string) => attempt("gateway", () => useTeam.getState().setGateway(gateway));

export function duplicate(): Promise<boolean> {
  const { id, name, flush } = useTeam.getState();
  return attempt("create", async () => {
    await flush();
    const made = await startTeam({ copyOf: id, name: t("teams.copyOf", { name }) });
    say(t("teams.duplicated", { name: made.name }), () => forget(made.id, id));
  });
}

/** Copies a team and stays in the list. Returns the copy's id. */
export async function copyTeam(id: string, name: string): Promise<string | undefined> {
  let made: string | undefined;
  await attempt("create", async () => {
    if (useTeam.getState().id === id) await useTeam.getState().flush();
    const copy = await teamActions.make({
      copyOf: id,
      name: t("teams.copyOf", { name }),
      language: shownLanguage(),
    });
    made = copy.id;
    say(t("teams.duplicated", { name: copy.name }), () => attempt("remove", () => teamActions.remove(copy.id)));
  });
  return made;
}

export const renameTeam = (id: string, name: string) => attempt("rename", () => teamActions.rename(id, name));

/** Deletes the team that is open and shows another; the toast brings it back. */
export const remove = () => removeTeam(useTeam.getState().id, useTeam.getState().name, true);

/** Deletes any team; the toast brings it back, and so does the list of deleted ones. */
export function removeTeam(id: string, name: string, back = false): Promise<boolean> {
  const open = useTeam.getState().id === id;
  return attempt("remove", async () => {
    if (open) await leave(id);
    try {
      await teamActions.remove(id);
    } catch (e) {
      if (open) await showTeam(id);
      throw e;
    }
    say(t("teams.deleted", { name }), () =>
      attempt("open", async () => {
        await teamActions.undelete(id);
        if (open) await showTeam(id);
        if (back) toCanvas();
      }),
    );
  });
}

export const restoreTeam = (id: string, name: string) =>
  attempt("remove", async () => {
    await teamActions.undelete(id);
    say(t("library.restored", { name }));
  });

/** For good; the dialog has asked. */
export const purgeTeams = (ids: readonly string[]) =>
  attempt("remove", async () => {
    for (const id of ids) await teamActions.purge(id);
  });

/** Goes to the newest other team, or to none. */
async function leave(id: string): Promise<void> {
  const next = useHub.getState().teams.find((d) => d.id !== id);
  useUi.getState().choose(nothing);
  if (next) {
    await showTeam(next.id);
    return;
  }
  await useTeam.getState().flush();
  useTeam.getState().close();
}

/** Takes back a team that was just made. */
const forget = (made: string, before: string) =>
  attempt("remove", async () => {
    if (before && useHub.getState().teams.some((d) => d.id === before)) await showTeam(before);
    else await leave(made);
    await teamActions.remove(made);
  });

/** Undoes an import: it is one step, or two where what was not applied yet was merged on top. */
async function undoImport(got: Imported): Promise<void> {
  const steps = got.team.undoLabel?.startsWith("merge|") ? 2 : 1;
  for (let i = 0; i < steps; i++) if (!(await attempt("undo", useTeam.getState().undo))) return;
}

const whatChanged = (got: Imported) => {
  const counts = countsText(t, countOps(got.changes)) || t("teams.nothingChanged");
  return got.warnings.length ? t("teams.withWarnings", { counts, count: got.warnings.length }) : counts;
};

/** The team that is open goes to this gateway, so an import lands in it. */
export const importsHere = (gateway: string) => {
  const d = useTeam.getState();
  return d.status === "ready" && d.gateway === gateway;
};

/** Draws what a gateway holds: in the open team when that goes there, else as a new one. Rejects, for the dialog. */
export async function importFrom(gateway: string): Promise<void> {
  if (importsHere(gateway)) {
    const got = await useTeam.getState().importGateway(gateway);
    toCanvas();
    say(t("teams.imported", { from: gatewayName(t, gateway), what: whatChanged(got) }), () => undoImport(got));
    return;
  }
  const before = useTeam.getState().id;
  const made = await startTeam({ import: gateway, name: gatewayName(t, gateway) });
  say(
    t("teams.importedNew", {
      from: gatewayName(t, gateway),
      agents: t("counts.agents", { count: made.topology.agents.length }),
    }),
    () => forget(made.id, before),
  );
}

/** The same outside of a dialog: a toast shows a failure. */
export const importNow = (gateway: string) => void attempt("import", () => importFrom(gateway));

/** Lets the person choose a file, and shows what it would bring, as for one that is dropped. */
export const openFile = () =>
  attempt("openFile", async () => {
    const chosen = await teamActions.openTeamFile();
    if (chosen) lookAt(chosen);
  });

/** Opens a team that was pasted, after the canvas has asked. */
export const openPasted = (file: GivenFile) => attempt("openFile", () => openGiven(file));

/** Opens a file as new teams. A single team is then saved to its file. Rejects for the dialog. */
export async function openGiven(file: GivenFile, teams?: number[], format?: string): Promise<void> {
  const before = useTeam.getState().id;
  const got = await teamActions.openFile(file, teams);
  const [only, ...more] = got.teams;
  if (file.place && only && !more.length && format === "agentflow")
    recentActions.setOrigin(only, { ...file.place, name: file.name });
  toCanvas();
  const what =
    got.teams.length > 1
      ? t("opening.openedMany", { name: file.name, count: got.teams.length })
      : t("teams.opened", { name: file.name, agents: t("counts.agents", { count: got.agents }) });
  say(what, async () => {
    for (const id of got.teams) await forget(id, before);
  });
}

/** Draws a team file into the open team, which can be undone. Rejects, for the dialog. */
export async function drawGiven(file: GivenFile): Promise<void> {
  const got = await useTeam.getState().importFile({ text: file.text ?? "", filename: file.name });
  toCanvas();
  say(t("teams.imported", { from: file.name, what: whatChanged(got) }), () => undoImport(got));
}

/** The open team as a file's text, with what the format cannot hold. */
export async function exported(format: ExportFormat) {
  const { id, flush } = useTeam.getState();
  if (!(await flush())) throw asApiError(useTeam.getState().save.error);
  return teamActions.exportAs(id, format);
}

/** False when the person changed their mind. */
export async function save(filename: string, content: string | Blob): Promise<boolean> {
  const where =
    typeof content === "string"
      ? (await teamActions.saveTeamFile(filename, content))?.name
      : await teamActions.saveBytes(filename, content);
  if (where) say(t("teams.savedFile", { where }));
  return !!where;
}

// --- templates

/** Keeps the open team as a template. Rejects, for the dialog. */
export async function keepTemplate(name: string, description: string): Promise<void> {
  const { id, flush } = useTeam.getState();
  if (!(await flush())) throw asApiError(useTeam.getState().save.error);
  const { template, removed } = await teamActions.keepTemplate({ team: id, name, description });
  say(
    removed
      ? t("library.keptWithout", { name: template.name, count: removed })
      : t("library.kept", { name: template.name }),
    () => attempt("remove", () => teamActions.deleteTemplate(template.id)),
  );
}

export const renameTemplate = (id: string, name: string, description: string) =>
  attempt("rename", () => teamActions.amendTemplate(id, { name, description }));

export const removeTemplate = (id: string, name: string) =>
  attempt("remove", async () => {
    await teamActions.deleteTemplate(id);
    say(t("teams.deleted", { name }), () => attempt("remove", () => teamActions.undeleteTemplate(id)));
  });
