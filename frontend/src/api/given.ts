/** A file as the person gave it: a text, or the bytes of a bundle in base64. */
export type GivenFile = {
  name: string;
  text?: string;
  data?: string;
  /** Where it can be written back; another stamp says that it was changed. */ place?: { file: string; stamp: string };
};

const isZip = (b: Uint8Array) => b[0] === 0x50 && b[1] === 0x4b;
/** More than the hub takes of any format; a film dropped by mistake is not even read. */
const most = 20 << 20;

export class TooLarge extends Error {}

export function base64(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}

const endings = ".json,.json5,.yaml,.yml,.zip,application/json,application/zip";

/** Lets the person choose a file with the browser's plain dialog, to read only. Null when they changed their mind. */
export function chooseGiven(): Promise<GivenFile | null> {
  return new Promise((resolve, reject) => {
    const input = document.createElement("input");
    input.type = "file";
    input.accept = endings;
    input.onchange = () => {
      const file = input.files?.[0];
      if (!file) {
        resolve(null);
        return;
      }
      readGiven(file).then(resolve, reject);
    };
    input.oncancel = () => resolve(null);
    input.click();
  });
}

/** Reads what was dropped or chosen. */
export async function readGiven(file: File): Promise<GivenFile> {
  if (file.size > most) throw new TooLarge(file.name);
  const bytes = new Uint8Array(await file.arrayBuffer());
  return isZip(bytes)
    ? { name: file.name, data: base64(bytes) }
    : { name: file.name, text: new TextDecoder().decode(bytes) };
}
