import { hub, sketchOf, type VersionsQuery } from "../api/hub";
import { openTeamFile, saveTeamFile } from "../api/files";
import type { Drawing, ExportFormat, NewDrawing } from "../topology";
import { useDrawing } from "./drawing";
import { useHub } from "./hub";

export const useDrawings = () => useHub((s) => s.drawings);

const lastKey = "agentflow.drawing";

/** Opens a drawing and remembers it for the next start. */
export async function showDrawing(id: string): Promise<void> {
  await useDrawing.getState().open(id);
  localStorage.setItem(lastKey, id);
}

export const lastDrawing = () => localStorage.getItem(lastKey);

const shown = async (d: Drawing) => { await showDrawing(d.id); return d; };

/** Requests about drawings and their versions; the list comes by the stream. All reject with ApiError. */
export const drawingActions = {
  create: (body: NewDrawing) => hub.createDrawing(body).then(shown),
  remove: (id: string) => hub.deleteDrawing(id),
  undelete: (id: string) => hub.undeleteDrawing(id),
  exportAs: (id: string, format: ExportFormat) => hub.exportDrawing(id, format),
  templates: (language: "en" | "ja") => hub.templates(language).then((r) => r.templates),
  /** Opens a team file as a drawing of its own; nothing is left behind when it cannot be read. */
  openFile: async (file: { name: string; text: string }, language: "en" | "ja") => {
    const made = await hub.createDrawing({ name: file.name.replace(/(\.agentflow|\.openclaw)?\.[a-z0-9]+$/i, ""), language });
    try {
      const got = await hub.importFile(made.id, { text: file.text, filename: file.name });
      await showDrawing(made.id);
      return got;
    } catch (e) {
      await hub.deleteDrawing(made.id).catch(() => undefined);
      throw e;
    }
  },
  openTeamFile, saveTeamFile,
  versions: (id: string, q?: VersionsQuery) => hub.versions(id, q),
  version: (id: string, vid: string) => hub.version(id, vid),
  nameVersion: (id: string, vid: string, name: string) => hub.nameVersion(id, vid, name),
  compare: (id: string, a: string, b: string, text?: boolean) => hub.compare(id, a, b, text),
  sketchOf,
};
