/** A file that the person gave the page; the browser may ask again before it is read or written. */
export type Handle = FileSystemFileHandle & {
  queryPermission?(how: { mode: "read" | "readwrite" }): Promise<PermissionState>;
  requestPermission?(how: { mode: "read" | "readwrite" }): Promise<PermissionState>;
};

declare global {
  interface Window {
    showOpenFilePicker?(how?: { types?: unknown }): Promise<Handle[]>;
    showSaveFilePicker?(how?: { suggestedName?: string }): Promise<Handle>;
  }
}

type Kept = { id: string; name: string; at: string; handle: Handle };
const table = "recent",
  most = 50;

const asked = <T>(r: IDBRequest<T>) =>
  new Promise<T>((done, failed) => {
    r.onsuccess = () => done(r.result);
    r.onerror = () => failed(r.error ?? new Error("the browser's storage did not answer"));
  });

async function within<T>(mode: IDBTransactionMode, work: (s: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const opening = indexedDB.open("agentflow.files", 1);
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore(table, { keyPath: "id" });
  };
  const db = await asked(opening);
  try {
    return await asked(work(db.transaction(table, mode).objectStore(table)));
  } finally {
    db.close();
  }
}

const all = async (): Promise<Kept[]> =>
  (await within<Kept[]>("readonly", (s) => s.getAll() as IDBRequest<Kept[]>)).sort((a, b) => b.at.localeCompare(a.at));

/** The files that were opened or saved in this browser, kept by it; the latest first. */
export const handles = {
  all,
  get: async (id: string): Promise<Handle | undefined> =>
    (await within<Kept | undefined>("readonly", (s) => s.get(id) as IDBRequest<Kept | undefined>))?.handle,
  /** Keeps a file as the latest, and returns its id: the same one as before for the same file. */
  keep: async (handle: Handle): Promise<string> => {
    const known = await all();
    let id: string | undefined;
    for (const k of known)
      if (await k.handle.isSameEntry(handle)) {
        id = k.id;
        break;
      }
    id ??= crypto.randomUUID();
    await within("readwrite", (s) => s.put({ id, name: handle.name, at: new Date().toISOString(), handle }));
    for (const old of known.filter((k) => k.id !== id).slice(most - 1)) await drop(old.id);
    return id;
  },
  drop,
};

async function drop(id: string): Promise<void> {
  await within("readwrite", (s) => s.delete(id));
}
