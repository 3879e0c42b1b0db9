import { describe } from "vitest";
import { expect, test } from "../app.ts";
import { Watch } from "./invariants.ts";

describe("what no journey may show", () => {
  test("APP-5 a boundary that is drawn and gone at once is noticed, before and after a reload", async ({ open }) => {
    const app = await open({ breaks: true }),
      watch = Watch.start(app);
    const flash = (text: string) =>
      app.page.evaluate((said) => {
        const e = document.createElement("div");
        e.dataset.boundary = "";
        e.textContent = said;
        document.body.append(e);
        e.remove();
      }, text);
    expect(await watch.problems(app.page)).toEqual([]);
    await flash("first");
    await app.page.reload();
    await app.ready();
    await flash("second");
    expect(await watch.problems(app.page)).toEqual(
      ["first", "second"].map((text) => `console: a part of the screen stopped working: ${text}`),
    );
  });
});
