import { windowApp } from "./endpoint";

/** Lets the person choose a team file: the window's own dialog, or the browser's. Null when they changed their mind. */
export async function openTeamFile(): Promise<{ name: string; text: string } | null> {
  const app = windowApp();
  if (app) return app.OpenTeamFile();
  return new Promise((resolve, reject) => {
    const input = document.createElement("input");
    input.type = "file";
    input.accept = ".json,.json5,.yaml,.yml,application/json";
    input.onchange = () => {
      const file = input.files?.[0];
      if (!file) { resolve(null); return; }
      file.text().then((text) => resolve({ name: file.name, text }), reject);
    };
    input.oncancel = () => resolve(null);
    input.click();
  });
}

/** Saves a text where the person says. Returns the path or name, "" when they changed their mind. */
export async function saveTeamFile(name: string, text: string): Promise<string> {
  const app = windowApp();
  if (app) return app.SaveTeamFile(name, text);
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  const a = document.createElement("a");
  a.href = url;
  a.download = name;
  a.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
  return name;
}

export const inWindow = () => windowApp() !== undefined;
