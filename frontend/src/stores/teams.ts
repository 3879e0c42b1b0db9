import { hub, type VersionsQuery } from "../api/hub";
import { fromBase64, openTeamFile, saveBytes, saveTeamFile } from "../api/files";
import type { GivenFile } from "../api/given";
import { readDropped } from "../api/fileShelf";
import type { Team, TeamSummary, ExportFormat, KeepTemplate, NewTeam } from "../topology";
import { useTeam } from "./team";
import { onHub, useHub } from "./hub";

export const useTeams = () => useHub((s) => s.teams);

/** The team that a gateway runs: the one that was applied to it last. */
export const liveTeam = (teams: readonly TeamSummary[], gateway: string): TeamSummary | undefined =>
  teams
    .filter((d) => d.gateway === gateway && d.appliedAt)
    .sort((a, b) => Date.parse(b.appliedAt ?? "") - Date.parse(a.appliedAt ?? ""))[0];

export const isLive = (d: TeamSummary, teams: readonly TeamSummary[]): boolean =>
  liveTeam(teams, d.gateway)?.id === d.id;

const lastKey = "agentflow.team";

/** Opens a team and remembers it for the next start. */
export async function showTeam(id: string): Promise<void> {
  await useTeam.getState().open(id);
  localStorage.setItem(lastKey, id);
}

export const lastTeam = () => localStorage.getItem(lastKey);

/** Calls back with how many files that the program was started with wait, now and later. */
export const onFileHanded = (come: (waiting: number) => void) =>
  onHub({
    notify: (n) => {
      if (n.given) come(n.given);
    },
  });

export type { GivenFile };
const given = ({ name, text, data }: GivenFile) => ({ filename: name, text, data });

const shown = async (d: Team) => {
  await showTeam(d.id);
  return d;
};

/** Requests about teams and their versions; the list comes by the stream. All reject with ApiError. */
export const teamActions = {
  create: (body: NewTeam) => hub.createTeam(body).then(shown),
  /** Makes a team and stays where one is. */
  make: (body: NewTeam) => hub.createTeam(body),
  rename: (id: string, name: string) =>
    useTeam.getState().id === id ? useTeam.getState().rename(name) : hub.patchTeam(id, { name }).then(() => undefined),
  remove: (id: string) => hub.deleteTeam(id),
  undelete: (id: string) => hub.undeleteTeam(id),
  exportAs: (id: string, format: ExportFormat) => hub.exportTeam(id, format),
  templates: (language: "en" | "ja") => hub.templates(language).then((r) => r.templates),
  /** What a file would bring; `into` also tells what would change in that team. */
  previewFile: (file: GivenFile, into?: string) => hub.previewFile({ ...given(file), into }),
  /** Opens a file as new teams and shows the first one. Creates none if one of them fails. */
  openFile: async (file: GivenFile, teams?: number[]) => {
    const got = await hub.openFile({ ...given(file), teams });
    if (got.teams[0]) await showTeam(got.teams[0]);
    return got;
  },
  /** A file that the program was started with; null when none waits, or another window was faster. */
  takeFile: (): Promise<GivenFile | null> => hub.takeFile().then((r) => r.file ?? null),
  pack: (teams: string[], versions: boolean, language: "en" | "ja") =>
    hub.packTeams({ teams: teams, versions, language }),
  keepTemplate: (body: KeepTemplate) => hub.keepTemplate(body),
  amendTemplate: hub.amendTemplate,
  deleteTemplate: hub.deleteTemplate,
  undeleteTemplate: hub.undeleteTemplate,
  deleted: hub.deletedTeams,
  purge: hub.purgeTeam,
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
