import { windowApp } from "./endpoint";

/** A file as the person gave it: a text, or the bytes of a bundle in base64. */
export type GivenFile = { name: string; text?: string; data?: string };

const endings = ".json,.json5,.yaml,.yml,.zip,application/json,application/zip";
const isZip = (b: Uint8Array) => b[0] === 0x50 && b[1] === 0x4b;
/** More than the hub takes of any format; a film dropped by mistake is not even read. */
const most = 20 << 20;

export class TooLarge extends Error {}

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}

/** Reads what was dropped or chosen. */
export async function readGiven(file: File): Promise<GivenFile> {
  if (file.size > most) throw new TooLarge(file.name);
  const bytes = new Uint8Array(await file.arrayBuffer());
  return isZip(bytes) ? { name: file.name, data: base64(bytes) } : { name: file.name, text: new TextDecoder().decode(bytes) };
}

/** Lets the person choose a team file: the window's own dialog, or the browser's. Null when they changed their mind. */
export async function openTeamFile(): Promise<GivenFile | null> {
  const app = windowApp();
  if (app) return app.OpenTeamFile();
  return new Promise((resolve, reject) => {
    const input = document.createElement("input");
    input.type = "file";
    input.accept = endings;
    input.onchange = () => {
      const file = input.files?.[0];
      if (!file) { resolve(null); return; }
      readGiven(file).then(resolve, reject);
    };
    input.oncancel = () => resolve(null);
    input.click();
  });
}

/** Saves a text where the person says. Returns the path or name, "" when they changed their mind. */
export async function saveTeamFile(name: string, text: string): Promise<string> {
  const app = windowApp();
  if (app) return app.SaveTeamFile(name, text);
  return download(name, new Blob([text], { type: "text/plain;charset=utf-8" }));
}

/** The same for a picture or a bundle. */
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
