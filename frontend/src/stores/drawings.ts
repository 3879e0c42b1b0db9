import { hub, type VersionsQuery } from "../api/hub";
import { fromBase64, openTeamFile, saveBytes, saveTeamFile } from "../api/files";
import type { GivenFile } from "../api/given";
import { readDropped } from "../api/fileShelf";
import type { Drawing, ExportFormat, KeepTemplate, NewDrawing } from "../topology";
import { useDrawing } from "./drawing";
import { onHub, useHub } from "./hub";

export const useDrawings = () => useHub((s) => s.drawings);

const lastKey = "agentflow.drawing";

/** Opens a drawing and remembers it for the next start. */
export async function showDrawing(id: string): Promise<void> {
  await useDrawing.getState().open(id);
  localStorage.setItem(lastKey, id);
}

export const lastDrawing = () => localStorage.getItem(lastKey);

/** Calls back with how many files that the program was started with wait, now and later. */
export const onFileHanded = (come: (waiting: number) => void) =>
  onHub({
    notify: (n) => {
      if (n.given) come(n.given);
    },
  });

export type { GivenFile };
const given = ({ name, text, data }: GivenFile) => ({ filename: name, text, data });

const shown = async (d: Drawing) => {
  await showDrawing(d.id);
  return d;
};

/** Requests about drawings and their versions; the list comes by the stream. All reject with ApiError. */
export const drawingActions = {
  create: (body: NewDrawing) => hub.createDrawing(body).then(shown),
  /** Makes a drawing and stays where one is. */
  make: (body: NewDrawing) => hub.createDrawing(body),
  rename: (id: string, name: string) =>
    useDrawing.getState().id === id
      ? useDrawing.getState().rename(name)
      : hub.patchDrawing(id, { name }).then(() => undefined),
  remove: (id: string) => hub.deleteDrawing(id),
  undelete: (id: string) => hub.undeleteDrawing(id),
  exportAs: (id: string, format: ExportFormat) => hub.exportDrawing(id, format),
  templates: (language: "en" | "ja") => hub.templates(language).then((r) => r.templates),
  /** What a file would bring; `into` also tells what would change in that drawing. */
  previewFile: (file: GivenFile, into?: string) => hub.previewFile({ ...given(file), into }),
  /** Opens a file as drawings of their own and shows the first; nothing is left behind when one cannot be made. */
  openFile: async (file: GivenFile, teams?: number[]) => {
    const got = await hub.openFile({ ...given(file), teams });
    if (got.teams[0]) await showDrawing(got.teams[0]);
    return got;
  },
  /** A file that the program was started with; null when none waits, or another window was faster. */
  takeFile: (): Promise<GivenFile | null> => hub.takeFile().then((r) => r.file ?? null),
  pack: (drawings: string[], versions: boolean, language: "en" | "ja") =>
    hub.packDrawings({ teams: drawings, versions, language }),
  keepTemplate: (body: KeepTemplate) => hub.keepTemplate(body),
  amendTemplate: hub.amendTemplate,
  deleteTemplate: hub.deleteTemplate,
  undeleteTemplate: hub.undeleteTemplate,
  deleted: hub.deletedDrawings,
  purge: hub.purgeDrawing,
  openTeamFile,
  saveTeamFile,
  saveBytes,
  readDropped,
  fromBase64,
  versions: (id: string, q?: VersionsQuery) => hub.versions(id, q),
  version: (id: string, vid: string) => hub.version(id, vid),
  nameVersion: (id: string, vid: string, name: string) => hub.nameVersion(id, vid, name),
  compare: (id: string, a: string, b: string, text?: boolean) => hub.compare(id, a, b, text),
};
