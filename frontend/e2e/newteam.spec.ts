import { describe } from "vitest";
import { again, breakable, breakPart, broken } from "./broken.ts";
import { expect, test, until, type App } from "./app.ts";

/** Makes a team as a person does: from the palette, by its card. */
async function newTeam(app: App, card: string | RegExp): Promise<void> {
  await app.run("New team");
  await app.page.getByRole("dialog").getByRole("button", { name: card }).first().click();
  await app.page.getByRole("dialog").waitFor({ state: "detached" });
}

describe("a new team is reviewed", () => {
  test("a new team for a gateway that holds a team is reviewed whole, and nothing in it breaks", async ({ open }) => {
    const app = await open();
    await newTeam(app, /^Pair/);
    await app.page.locator(".react-flow__node-agent").first().waitFor();
    const changes = app.page.getByRole("region", { name: "Unapplied changes" });
    await changes.getByRole("button", { name: "Review" }).waitFor();
    expect(await changes.getByRole("button", { name: "Discard" }).count()).toBe(0); // its gateway never had it
    await app.page.keyboard.press("Control+Enter");
    await app.button(/^Apply/).waitFor();
    await app.page.getByRole("region", { name: "Connections" }).or(broken(app)).first().waitFor();
    expect(await broken(app).count()).toBe(0);
  });

  test("a part of the review that breaks is not seen, so nothing is applied until it is shown again", async ({
    open,
  }) => {
    const app = await open({ breaks: true });
    await breakable(app, ["review.canvas"]);
    await app.node("lead").dblclick();
    await app.page.keyboard.type("Boss");
    await app.page.keyboard.press("Enter");
    await app.kept("the name", (d) => d.unsent === 1);
    await breakPart(app, "review.canvas");
    await app.page.keyboard.press("Control+Enter");
    await broken(app).waitFor();
    const apply = app.button(/^Apply 1 change/);
    await apply.waitFor();
    expect(await apply.isDisabled()).toBe(true);
    await app.page.getByText("Part of the review couldn't be shown").waitFor();
    await app.page.keyboard.press("Control+Enter");
    expect(
      Object.values((await app.hub.config()).agents as Record<string, { name?: string }>).some(
        (a) => a.name === "Boss",
      ),
    ).toBe(false);
    await breakPart(app, "");
    await again(app).click();
    await until("the apply to be offered", () => apply.isEnabled());
  });
});
