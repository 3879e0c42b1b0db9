import { windowApp, type WindowApp, type WindowFile } from "./endpoint";
import { chooseGiven, readGiven, type GivenFile } from "./given";
import { handles, type Handle } from "./handles";

/** A dropped item, in browsers that keep file handles. Ask for the handle inside the drop event: later it is gone. */
type Dropped = DataTransferItem & { getAsFileSystemHandle?(): Promise<FileSystemHandle | null> };

export type RecentFile = { id: string; name: string; /** Empty if it is unknown. */ folder: string; at: string };

/** Files that can be opened again and written back, because the person chose them before. */
export type FileShelf = {
  list(): Promise<RecentFile[]>;
  /** Null when the file is gone. */
  reopen(id: string): Promise<GivenFile | null>;
  /** Writes over a file that is still as its stamp says, and returns the new stamp. */
  rewrite(id: string, stamp: string, text: string): Promise<string>;
  forget(id: string): Promise<void>;
  /** Null when the person changed their mind. */
  choose(): Promise<GivenFile | null>;
  saveAs(name: string, text: string): Promise<GivenFile | null>;
};

/** The window's files, or the browser's where it can hold on to files; undefined elsewhere: there one downloads and uploads. */
export function fileShelf(): FileShelf | undefined {
  const app = windowApp();
  if (app) return ofWindow(app);
  return typeof window.showOpenFilePicker === "function" && typeof window.showSaveFilePicker === "function"
    ? ofBrowser
    : undefined;
}

const given = (f: WindowFile | null): GivenFile | null =>
  f && { name: f.name, text: f.text, data: f.data, place: { file: f.path, stamp: f.stamp } };

const ofWindow = (app: WindowApp): FileShelf => ({
  list: async () => (await app.RecentFiles()).map((f) => ({ id: f.path, name: f.name, folder: f.folder, at: f.at })),
  reopen: async (path) => given(await app.ReopenTeamFile(path)),
  rewrite: (path, stamp, text) => app.RewriteTeamFile(path, stamp, text),
  forget: (path) => app.ForgetFile(path),
  choose: async () => given(await app.OpenTeamFile()),
  saveAs: async (name, text) => given(await app.SaveTeamFile(name, text)),
});

const named = (e: unknown, name: string) => e instanceof DOMException && e.name === name;
const unless = async <T>(name: string, work: () => Promise<T>): Promise<T | null> => {
  try {
    return await work();
  } catch (e) {
    if (named(e, name)) return null;
    throw e;
  }
};
const stampOf = (f: File) => `${f.lastModified}/${f.size}`;

async function read(id: string, handle: Handle): Promise<GivenFile> {
  const file = await handle.getFile();
  return { ...(await readGiven(file)), place: { file: id, stamp: stampOf(file) } };
}

async function allowed(handle: Handle, mode: "read" | "readwrite"): Promise<void> {
  if (
    (await handle.queryPermission?.({ mode })) === "granted" ||
    (await handle.requestPermission?.({ mode })) !== "denied"
  )
    return;
  throw new DOMException(handle.name, "NotAllowedError");
}

async function write(handle: Handle, text: string): Promise<string> {
  const out = await handle.createWritable();
  await out.write(text);
  await out.close();
  return stampOf(await handle.getFile());
}

const types = [
  {
    description: "AgentFlow, OpenClaw",
    accept: {
      "application/yaml": [".yaml", ".yml"],
      "application/json": [".json", ".json5"],
      "application/zip": [".zip"],
    },
  },
];

/** Reads a file that is dropped, and keeps it among the recent ones where the browser can. */
export async function readDropped(file: File, item: DataTransferItem | undefined): Promise<GivenFile> {
  const dropped: Dropped | undefined = item;
  const handle = await dropped?.getAsFileSystemHandle?.().catch(() => null);
  return handle?.kind === "file" && fileShelf() === ofBrowser
    ? read(await handles.keep(handle as Handle), handle as Handle)
    : readGiven(file);
}

const ofBrowser: FileShelf = {
  list: async () => (await handles.all()).map((k) => ({ id: k.id, name: k.name, folder: "", at: k.at })),
  reopen: (id) =>
    unless("NotFoundError", async () => {
      const handle = await handles.get(id);
      if (!handle) return null;
      await allowed(handle, "read");
      const got = await read(id, handle);
      await handles.keep(handle);
      return got;
    }),
  rewrite: async (id, stamp, text) => {
    const handle = await handles.get(id);
    if (!handle) throw new DOMException(id, "NotFoundError");
    await allowed(handle, "readwrite");
    if (stampOf(await handle.getFile()) !== stamp) throw new DOMException(handle.name, "InvalidModificationError");
    const next = await write(handle, text);
    await handles.keep(handle);
    return next;
  },
  forget: handles.drop,
  choose: () =>
    unless("AbortError", async () => {
      let handle: Handle | undefined;
      try {
        [handle] = await window.showOpenFilePicker!({ types });
      } catch (e) {
        if (named(e, "AbortError")) throw e;
        return chooseGiven(); // this picker can't be opened here
      }
      return handle ? read(await handles.keep(handle), handle) : null;
    }),
  saveAs: (name, text) =>
    unless("AbortError", async () => {
      const handle = await window.showSaveFilePicker!({ suggestedName: name });
      await write(handle, text);
      return read(await handles.keep(handle), handle);
    }),
};
