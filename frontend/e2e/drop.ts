import type { App } from "./app.ts";

/** Drops a file on the page, as from the desktop. */
export async function dropFile(app: App, name: string, content: string | Buffer): Promise<void> {
  const transfer = await app.page.evaluateHandle(
    ({ name, data }) => {
      const t = new DataTransfer();
      t.items.add(new File([Uint8Array.from(atob(data), (c) => c.charCodeAt(0))], name));
      return t;
    },
    { name, data: Buffer.from(content).toString("base64") },
  );
  await app.page.dispatchEvent("body", "dragover", { dataTransfer: transfer });
  await app.page
    .getByText(/^(Drop a team file to see its contents|チームファイルをドロップすると内容を確認できます)$/)
    .waitFor();
  await app.page.dispatchEvent("body", "drop", { dataTransfer: transfer });
}
