import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import type { ConfigAgent, Hub } from "./hub.ts";

/** Gives the writer a folder with a SOUL.md, which its owner allows, and does something with it. */
async function withFolder(work: (folder: string, seed: (hub: Hub) => Promise<void>) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "oc2-"));
  try {
    writeFileSync(path.join(folder, "SOUL.md"), "# Soul\r\n\r\nBe kind.\r\n");
    await work(folder, async (hub) => {
      await hub.changeConfig((c) => {
        Object.assign((c.agents as Record<string, ConfigAgent>).writer!, {
          workspace: folder,
          tools: { allow: ["file_read"] },
        });
      });
      await hub.trust();
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const filesOf = (d: { topology: { agents: { id: string; files?: Record<string, { content: string }> }[] } }) =>
  d.topology.agents.find((a) => a.id === "writer")?.files;

async function openFile(app: App, tab: string, name: string): Promise<void> {
  await app.node("writer").click();
  await app.page.getByRole("tab", { name: tab }).click();
  await app.button(name).click();
}

describe("workspace files", () => {
  test("OC-2 a file is edited, undone, reviewed, applied and rolled back, byte for byte", async ({ open }) => {
    await withFolder(async (folder, seed) => {
      const soul = () => readFileSync(path.join(folder, "SOUL.md"), "utf8");
      const app = await open({ seed });
      await openFile(app, "Files", "SOUL.md");
      const text = app.page.getByLabel("Content of SOUL.md");
      await until("the text to have the focus", () => text.evaluate((e) => e === document.activeElement));
      await until(
        "the gateway's text",
        () => text.inputValue(),
        (v) => v.includes("Be kind."),
      );
      await text.fill("# Soul\n\nBe strict.\n");
      await app.kept("the edit", (d) => filesOf(d)?.["SOUL.md"]?.content === "# Soul\r\n\r\nBe strict.\r\n");
      expect(soul()).toContain("Be kind.");
      await app.button("Reset").click();
      await app.kept("no edit", (d) => !filesOf(d));
      await app.button(/^Undo/).click();
      await app.kept("the edit again", (d) => filesOf(d)?.["SOUL.md"]?.content.includes("strict") === true);
      await app.page.getByRole("radio", { name: "Preview" }).click();
      await app.page.locator(".md-h1").getByText("Soul").waitFor();
      await app.button("All files").click();
      await app.button(/SOUL\.md.*Changed/).waitFor();

      await app.button("Review Ctrl+Enter").click();
      await app.button(/Writer.*SOUL\.md/).click();
      const diff = app.page.locator(".cm-content").filter({ hasText: "Be strict." });
      await diff.first().waitFor();
      expect(soul()).toContain("Be kind.");
      await app.page.getByLabel("Allow Writer with this apply").check();
      await app.button(/pply 1 change/).click();
      await app.page
        .getByText(/^Applied 1 change/)
        .first()
        .waitFor();
      expect(soul()).toBe("# Soul\r\n\r\nBe strict.\r\n");
      await app.button("Undo apply").first().click();
      await until(
        "the old file",
        () => Promise.resolve(soul()),
        (s) => s === "# Soul\r\n\r\nBe kind.\r\n",
      );
      await app.page
        .getByText(/Rolled back/)
        .first()
        .waitFor();

      await app.go("history");
      await app.page.getByRole("radio", { name: "Gateway" }).click();
      await app
        .button(/^Before a rollback/)
        .first()
        .click();
      await app.button("Roll back to this…").click();
      const dialog = app.page.getByRole("dialog");
      await dialog.getByText("This workspace file gets the text that it had then: SOUL.md of Writer.").waitFor();
      await dialog.getByRole("button", { name: /^Roll back/ }).click();
      await until(
        "the file from before the rollback",
        () => Promise.resolve(soul()),
        (s) => s === "# Soul\r\n\r\nBe strict.\r\n",
      );
      expect(app.complaints).toEqual([]);
    });
  });

  test("OC-2 the edited file of an agent that the gateway doesn't have yet is discarded by Reset", async ({ open }) => {
    const app = await open(),
      files = (d: Awaited<ReturnType<App["team"]>>) => d.topology.agents.find((a) => a.id === "agent-1")?.files;
    await app.node("lead").click();
    await app.page.keyboard.press("a");
    await app.page.keyboard.press("Escape");
    await app.node("agent-1").click();
    await app.page.getByRole("tab", { name: "Files" }).click();
    await app.button("SOUL.md").click();
    const text = app.page.getByLabel("Content of SOUL.md"),
      reset = app.page.getByRole("button", { name: "Reset", exact: true });
    await text.waitFor();
    expect(await reset.isDisabled()).toBe(true);
    await text.fill("Be brave.");
    await app.kept("the edit", (d) => !!files(d)?.["SOUL.md"]);
    await reset.click();
    await app.kept("no file", (d) => d.topology.agents.some((a) => a.id === "agent-1") && !files(d));
    expect(await text.inputValue()).toBe("");
    await app.undo();
    await app.kept("the edit again", (d) => files(d)?.["SOUL.md"]?.content === "Be brave.");
    expect(app.complaints).toEqual([]);
  });

  test("OC-2 characters that nobody sees are named below a file's text, and marked in its preview", async ({
    open,
  }) => {
    await withFolder(async (folder, seed) => {
      writeFileSync(path.join(folder, "SOUL.md"), "# Soul\n\nBe \u202ekind.\n");
      const app = await open({ seed });
      await openFile(app, "Files", "SOUL.md");
      await app.page.getByText("Invisible character: ⟨U+202E⟩ in line 3.").waitFor();
      await app.page.getByRole("radio", { name: "Preview" }).click();
      await app.page.locator(".md").getByText("Be ⟨U+202E⟩kind.").waitFor();
      expect(app.complaints).toEqual([]);
    });
  });

  test("OC-2 a file that changed on the gateway meanwhile is a conflict with both texts and the one before", async ({
    open,
  }) => {
    await withFolder(async (folder, seed) => {
      const app = await open({ seed });
      await openFile(app, "Files", "SOUL.md");
      await app.page.getByLabel("Content of SOUL.md").fill("Mine.\n");
      await app.kept("the edit", (d) => !!filesOf(d)?.["SOUL.md"]);
      writeFileSync(path.join(folder, "SOUL.md"), "Theirs.\n");
      await app.toMerge();
      const card = app.page.locator("section.merge-conflict").filter({ hasText: "SOUL.md" });
      await until(
        "both texts, and what the edit began from",
        () => card.innerText(),
        (s) => s.includes("Mine.") && s.includes("Theirs.") && s.includes("Be kind."),
      );
      await card.getByRole("radio", { name: "Base" }).click();
      await app.button("Review merged changes").click();
      await app.button(/Writer.*SOUL\.md/).click();
      await app.page.locator(".cm-content").filter({ hasText: "Be kind." }).first().waitFor();
      expect(await app.page.getByText("doesn't support this file").count()).toBe(0);
      expect(readFileSync(path.join(folder, "SOUL.md"), "utf8")).toBe("Theirs.\n");
      expect(app.complaints).toEqual([]);
    });
  });

  test("OC-2 in Japanese, by an input method; a text that is too long isn't saved", async ({ open }) => {
    await withFolder(async (_, seed) => {
      const app = await open({ seed, language: "ja" });
      await openFile(app, "ファイル", "USER.md");
      const text = app.page.getByLabel("USER.mdの内容");
      await text.click();
      await app.compose("みか");
      await app.commit("美香");
      await app.kept("the text", (d) => filesOf(d)?.["USER.md"]?.content === "美香");
      await app.page.getByText("20,000文字中2文字、約2トークン").waitFor();
      await text.fill("長".repeat(400_000));
      await app.page.getByText("1ファイルは1 MiBまでです。").waitFor();
      expect(filesOf(await app.team())?.["USER.md"]?.content).toBe("美香");
      expect(app.complaints).toEqual([]);
    });
  });
});
