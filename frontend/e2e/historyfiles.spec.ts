import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import { violations } from "./axe.ts";
import type { FakeGateway } from "./fakeGateway.ts";
import { file, opened } from "./withFiles.ts";

type Listed = { files: { cause: string; name: string; agent: string }[] };
const rows = (app: App) => app.page.locator("[data-version]");
const row = (app: App, name: RegExp) => app.page.getByRole("button", { name });
const restore = (app: App, label = "Restore as draft") => app.button(label);
/** The lines of the text that is shown. */
const shows = (app: App, text: string) => app.page.locator(".cm-content").getByText(text, { exact: true }).first();

const gatewayOf = async (app: App) => (await app.hub.team((await app.team()).id)).gateway;

/** The hub reads a file of the writer, which somebody else changes behind its back in between. */
async function changedElsewhere(app: App, gateway: FakeGateway): Promise<string> {
  const name = await gatewayOf(app);
  const read = () => app.hub.ask("GET", `/api/gateways/${name}/agents/writer/files/AGENTS.md`);
  await read();
  gateway.files = { ...gateway.files, "writer/AGENTS.md": "# Writer\n\nBe quick.\n" };
  await read();
  return name;
}

async function openFile(app: App): Promise<void> {
  await app.node("writer").click();
  await app.page.getByRole("tab", { name: "Files" }).click();
  await app.page.getByRole("button", { name: /^AGENTS\.md/ }).click();
}

describe("workspace files in the history of a gateway", () => {
  test("OC-4 a file that somebody else changed is listed, compared and restored as a draft", async ({ open }) => {
    await opened(open, async (app, gateway) => {
      const name = await changedElsewhere(app, gateway);
      await app.go("history");
      await app.page.getByRole("radio", { name: "Gateway", exact: true }).click();
      await app.page.getByRole("radio", { name: "Files", exact: true }).click();
      await row(app, /AGENTS\.md of Writer.*By somebody else.*\+11.*tokens/s).click();
      await shows(app, "Be quick.").waitFor();
      await app.page.getByText("This is the latest text of the file.").waitFor();
      expect(await restore(app).isDisabled()).toBe(true);
      expect(await violations(app)).toEqual([]);

      await row(app, /AGENTS\.md of Writer.*First seen/s).click();
      await app.page.getByText("The first text that was seen").waitFor();
      await restore(app).click();
      await app.page.getByText(/^Restored in the draft: AGENTS\.md of Writer/).waitFor();
      await app.kept("the old text in the draft", (d) => file(d, "writer") === "# Writer\n");
      expect(gateway.files?.["writer/AGENTS.md"]).toBe("# Writer\n\nBe quick.\n");
      await app.page.getByText("The draft has this text. Review and apply it to write the file.").waitFor();

      // The review shows it, and once it is applied, the list has it as ours.
      await app.button("Review").click();
      await app.button(/^Apply 1 change/).click();
      await until(
        "the apply in the history",
        () => app.hub.ask<Listed>("GET", `/api/gateways/${name}/file-snapshots`),
        (r) => r.files[0]?.cause === "after_apply",
      );
      expect(gateway.files?.["writer/AGENTS.md"]).toBe("# Writer\n");
      // The next undo would be that of the apply, so the offer to undo the restore has gone.
      await app.page.getByText(/^Restored in the draft/).waitFor({ state: "detached", timeout: 3_000 });
      expect(app.complaints).toEqual([]);

      // Somebody changes it again: a banner tells that, and the history leads to where the team's text is applied.
      gateway.files = { ...gateway.files, "writer/AGENTS.md": "# Somebody's\n" };
      await app.go("canvas");
      await openFile(app);
      await app.page.getByText(`${name} has a different text now.`).waitFor();
      expect(await violations(app)).toEqual([]);
      await app.go("history");
      await row(app, /AGENTS\.md of Writer.*By an apply/s).click();
      await app.page.getByText("The draft already has this text, and").waitFor();
      await app.button(`Compare with ${name}`).click();
      await app.page
        .getByRole("heading", { name: "Team and gateway" })
        .or(app.button("Apply my team…"))
        .first()
        .waitFor();
      await app.go("canvas");
      await openFile(app);
      await app.button("Take its text").click();
      await app.kept("somebody else's text in the draft", (d) => file(d, "writer") === "# Somebody's\n");
      await app.page.getByText(`${name} has a different text now.`).waitFor({ state: "detached" });
    });
  });

  test("OC-4 two files are compared, a config never with a file, and an agent that the team lacks gets none", async ({
    open,
  }) => {
    await opened(open, async (app, gateway) => {
      const name = await changedElsewhere(app, gateway);
      await app.hub.ask("GET", `/api/gateways/${name}/agents/main/files/AGENTS.md`);
      await app.go("history");
      await app.page.getByRole("radio", { name: "Gateway", exact: true }).click();
      await row(app, /AGENTS\.md of Main/).click();
      const writer = rows(app).filter({ hasText: /AGENTS\.md of Writer.*First seen/s });
      await writer.hover();
      await writer.getByRole("button", { name: "Compare from here" }).click();
      await app.button("Swap A and B").waitFor();
      await shows(app, "Be kind.").waitFor();
      await row(app, /Read from the gateway/)
        .first()
        .click();
      await app.button("Swap A and B").waitFor({ state: "detached" });
      await app.page.getByText("This is the latest snapshot.").waitFor();

      const { id } = await app.team();
      const now = await app.hub.team(id);
      await app.hub.save(id, { ...now.topology, agents: now.topology.agents.filter((a) => a.id !== "writer") });
      await row(app, /AGENTS\.md of Writer.*First seen/s).click();
      await app.page.getByText("Writer isn't in the open team.").waitFor();
      expect(await restore(app).isDisabled()).toBe(true);
      expect(app.complaints).toEqual([]);
    });
  });

  test("OC-4 on a phone, in Japanese and in the dark", async ({ open }) => {
    await opened(
      open,
      async (app, gateway) => {
        await changedElsewhere(app, gateway);
        await app.go("history");
        await app.page.getByRole("radio", { name: "ゲートウェイ", exact: true }).click();
        expect(await violations(app)).toEqual([]);
        await row(app, /WriterのAGENTS\.md.*ほかで変更/s).click();
        await shows(app, "Be quick.").waitFor();
        expect(await violations(app)).toEqual([]);
        await app.button("一覧に戻る").click();
        await rows(app).first().waitFor();
        expect(app.complaints).toEqual([]);
      },
      { language: "ja", colorScheme: "dark", viewport: { width: 390, height: 844 }, hasTouch: true },
    );
  });
});
