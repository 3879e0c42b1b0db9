import { windowApp } from "./endpoint";
import { fileShelf } from "./fileShelf";
import { base64, chooseGiven, type GivenFile } from "./given";

/** Lets the person choose a team file: the window's own dialog, or the browser's. Null when they changed their mind. */
export async function openTeamFile(): Promise<GivenFile | null> {
  const shelf = fileShelf();
  return shelf ? shelf.choose() : chooseGiven();
}

/** Saves a text where the person says; null when they changed their mind. */
export async function saveTeamFile(name: string, text: string): Promise<GivenFile | null> {
  const shelf = fileShelf();
  if (shelf) return shelf.saveAs(name, text);
  return { name: download(name, new Blob([text], { type: "text/plain;charset=utf-8" })) };
}

/** Saves a picture or a bundle. Returns the path or name, "" when they changed their mind. */
export async function saveBytes(name: string, content: Blob): Promise<string> {
  const app = windowApp();
  if (app) return app.SaveFile(name, base64(new Uint8Array(await content.arrayBuffer())));
  return download(name, content);
}

function download(name: string, content: Blob): string {
  const url = URL.createObjectURL(content);
  const a = document.createElement("a");
  a.href = url;
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
  return name;
}

/** The bytes of a base64 text, as a file. */
export function fromBase64(data: string, type: string): Blob {
  return new Blob([Uint8Array.from(atob(data), (ch) => ch.charCodeAt(0))], { type });
}

export const inWindow = () => windowApp() !== undefined;
