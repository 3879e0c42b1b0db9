export type WindowFile = { name: string; path: string; stamp: string; text?: string; data?: string };

/** What the desktop window offers beside the page; absent in a browser. */
export type WindowApp = {
  Endpoint(): Promise<{ url: string; token: string }>;
  OpenTeamFile(): Promise<WindowFile | null>;
  SaveTeamFile(name: string, text: string): Promise<WindowFile | null>;
  RecentFiles(): Promise<{ path: string; name: string; folder: string; at: string }[]>;
  /** Null when the file is gone. Reads and writes only what was chosen in a dialog before. */
  ReopenTeamFile(path: string): Promise<WindowFile | null>;
  RewriteTeamFile(path: string, stamp: string, text: string): Promise<string>;
  ForgetFile(path: string): Promise<void>;
  /** `data` in base64. */
  SaveFile(name: string, data: string): Promise<string>;
  /** Opens a web address in the person's browser; refuses what is none. */
  OpenLink(link: string): Promise<void>;
  /** Shows a notification of the desktop. A click on it shows a place, such as #/inbox. Fails where there are none. */
  Notify(id: string, title: string, body: string, place: string): Promise<void>;
};

declare global {
  interface Window {
    go?: { main?: { App?: WindowApp } };
  }
}

export function windowApp(): WindowApp | undefined {
  return typeof window === "undefined" ? undefined : window.go?.main?.App;
}

/** Where the hub is and what opens it. The token stays in memory; a browser has its cookie instead. */
export type Endpoint = { url: string; token?: string };

let known: Promise<Endpoint> | undefined;

export function endpoint(): Promise<Endpoint> {
  const app = windowApp();
  known ??= app
    ? app.Endpoint().catch((err: unknown) => {
        known = undefined;
        throw err;
      })
    : Promise.resolve({ url: location.origin });
  return known;
}

/** Asks the window again, in case the hub came back elsewhere. */
export function forgetEndpoint(): void {
  if (windowApp()) known = undefined;
}
