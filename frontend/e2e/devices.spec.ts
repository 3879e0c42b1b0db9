import { describe } from "vitest";
import { expect, test, until } from "./app.ts";

const look = "`${document.documentElement.lang} ${document.documentElement.dataset.theme}`";

describe("several browsers of one hub", () => {
  test("APP-1 language and theme are chosen for one browser; a new one begins with its own", async ({ open }) => {
    const app = await open();
    const browser = app.context.browser();
    const phone = await browser!.newContext({
      locale: "ja-JP",
      colorScheme: "dark",
      viewport: { width: 390, height: 844 },
      storageState: await app.context.storageState(),
    });
    try {
      const page = await phone.newPage();
      await page.goto(`${app.hub.url}/#/settings/look`);
      await page.getByText("このブラウザーだけの表示言語です。").waitFor();
      expect(await page.evaluate(look)).toBe("ja dark");
      await page.getByRole("radio", { name: "English" }).click();
      await page.getByText("Display language in this browser only.").waitFor();
      await page.getByRole("radio", { name: "Light" }).click();
      await until(
        "the light look",
        () => page.evaluate(look),
        (v) => v === "en light",
      );

      await app.go("settings/look");
      await app.page.getByRole("radio", { name: "日本語" }).click();
      await app.page.getByRole("radio", { name: "ダーク" }).click();
      await until(
        "the other look",
        () => app.page.evaluate(look),
        (v) => v === "ja dark",
      );
      await page.reload();
      await page.getByRole("radio", { name: "Light", checked: true }).waitFor();
      expect(await page.evaluate(look)).toBe("en light");
      expect(await app.hub.ask("GET", "/api/settings")).toMatchObject({ language: "auto", theme: "auto" });
      expect(app.complaints).toEqual([]);
    } finally {
      await phone.close();
    }
  });
});
