import { useEffect } from "react";
import { create } from "zustand";
import { persist } from "zustand/middleware";
import { fileShelf, type FileShelf, type RecentFile } from "../api/fileShelf";
import { hub } from "../api/hub";

export type { RecentFile };

/** The file that a team came from or was saved to last, and how that looked then. */
export type Origin = { file: string; stamp: string; name: string };
type Recent = { files: readonly RecentFile[]; origins: Readonly<Record<string, Origin>> };

const shown = 10;

export const useRecent = create<Recent>()(
  persist((): Recent => ({ files: [], origins: {} }), {
    name: "agentflow.origins",
    partialize: ({ origins }) => ({ origins }),
  }),
);

const shelf = (): FileShelf => {
  const s = fileShelf();
  if (!s) throw new Error("this browser holds on to no files");
  return s;
};
const load = async () => {
  const all = await fileShelf()?.list();
  useRecent.setState({ files: all?.slice(0, shown) ?? [] });
};

/** Files that can be opened again: the window keeps them, and browsers that can. */
export const recentActions = {
  there: () => fileShelf() !== undefined,
  load,
  reopen: async (id: string) => {
    const file = await shelf().reopen(id);
    await load();
    return file;
  },
  forget: async (id: string) => {
    await shelf().forget(id);
    useRecent.setState((s) => ({
      origins: Object.fromEntries(Object.entries(s.origins).filter(([, o]) => o.file !== id)),
    }));
    await load();
  },
  /** What a team is saved to; undefined when that file cannot be reached any more. */
  originOf: async (team: string): Promise<Origin | undefined> => {
    const origin = useRecent.getState().origins[team];
    return origin && (await fileShelf()?.list())?.some((f) => f.id === origin.file) ? origin : undefined;
  },
  setOrigin: (team: string, origin: Origin) =>
    useRecent.setState((s) => ({ origins: { ...s.origins, [team]: origin } })),
  /** The team as that file's text, whose comments and unknown keys stay. */
  over: (team: string, filename: string, text: string) => hub.rewriteFile(team, { filename, text }),
  rewrite: async (id: string, stamp: string, text: string) => {
    const next = await shelf().rewrite(id, stamp, text);
    await load();
    return next;
  },
};

/** The last files; empty where none are kept. */
export function useRecentFiles(): readonly RecentFile[] {
  useEffect(() => {
    void load().catch(() => undefined);
  }, []);
  return useRecent((s) => s.files);
}
