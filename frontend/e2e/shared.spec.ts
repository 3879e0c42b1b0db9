import { describe } from "vitest";
import { violations } from "./axe.ts";
import { expect, test, until, type App } from "./app.ts";
import { apply, file, opened, rules } from "./withFiles.ts";

const block = (text: string, eol = "\n") =>
  ["<!-- agentflow:shared begin: house rules -->", text, "<!-- agentflow:shared end: house rules -->", ""].join(eol);

async function openAgents(app: App, id: string): Promise<void> {
  await app.node(id).click();
  await app.page.getByRole("tab", { name: "Files" }).click();
  await app.button(/^AGENTS\.md/).click();
}

describe("blocks that several files share", () => {
  test("OC-2 a shared block goes into three files by one step and changes in all of them by one edit", async ({
    open,
  }) => {
    await opened(open, async (app, gateway) => {
      await openAgents(app, "main");
      await app.button("Shared block…").click();
      const dialog = app.page.getByRole("dialog", { name: "Shared blocks" });
      await dialog.getByLabel("Name").fill("house--rules");
      await dialog.getByText(/without two hyphens in a row/).waitFor();
      expect(await dialog.getByRole("button", { name: "Save in all files" }).isDisabled()).toBe(true);
      await dialog.getByLabel("Name").fill("house rules");
      await dialog.getByLabel("Text").fill("- Be kind.");
      await dialog.getByLabel("Writer").check();
      await dialog.getByLabel("Tester").check();
      expect(await violations(app)).toEqual([]);
      await dialog.getByRole("button", { name: "Save in all files" }).click();
      await dialog.waitFor({ state: "detached" });
      const three = await app.kept("three copies", (d) =>
        ["main", "writer", "tester"].every((id) => file(d, id)?.includes("- Be kind.")),
      );
      expect(file(three, "main")).toBe(`${rules}\r\n${block("- Be kind.", "\r\n")}`);
      expect(file(three, "writer")).toBe(`# Writer\n\n${block("- Be kind.")}`);
      await app.button("house rules, in 3 files").waitFor();

      // Typing in one file is an edit of all of them, and one step to undo.
      const text = app.page.getByLabel("Content of AGENTS.md");
      const was = await text.inputValue();
      await text.fill(was.replace("- Be kind.", "- Be kind and brief.").replace("# Rules", "# Mine"));
      const typed = await app.kept("the edit in each file", (d) =>
        ["main", "writer", "tester"].every((id) => file(d, id)?.includes("- Be kind and brief.")),
      );
      expect(file(typed, "writer")).toBe(`# Writer\n\n${block("- Be kind and brief.")}`);
      await app.button(/^Undo/).click();
      const undone = await app.kept("none of it", (d) => !!file(d, "main")?.startsWith("# Rules"));
      expect(file(undone, "tester")).toContain("- Be kind.\n");
      await app.button(/^Redo/).click();
      await app.kept("the edit again", (d) => !!file(d, "tester")?.includes("and brief"));
      await apply(app);
      for (const id of ["main", "writer", "tester"])
        expect(gateway.files?.[`${id}/AGENTS.md`]).toContain("- Be kind and brief.");

      // Renamed, and taken out of one file.
      await openAgents(app, "writer");
      await app.button("house rules, in 3 files").click();
      const edit = app.page.getByRole("dialog", { name: "Shared block house rules" });
      await edit.getByLabel("Name").fill("社内の規則");
      await edit.getByLabel("Tester").uncheck();
      await edit.getByLabel("Name").press("Enter");
      await edit.waitFor({ state: "detached" });
      const two = await app.kept("two copies", (d) => !!file(d, "main")?.includes("begin: 社内の規則 -->"));
      expect(file(two, "tester")).not.toContain("agentflow:shared");
      await app.button("社内の規則, in 2 files").waitFor();
      expect(app.complaints).toEqual([]);
    });
  });

  test("OC-2 a copy that differs is a problem and marked as such; the text that is saved counts", async ({ open }) => {
    await opened(open, async (app) => {
      const team = await app.team(),
        texts = { main: "- One.", writer: "- Two.", tester: "- One." } as Record<string, string>;
      await app.hub.save(team.id, {
        ...team.topology,
        agents: team.topology.agents.map((a) => ({ ...a, files: { "AGENTS.md": { content: block(texts[a.id]!) } } })),
      });
      await openAgents(app, "writer");
      await app.page
        .getByText(/shared block house rules in AGENTS\.md of Writer has another text than in AGENTS\.md of Main/)
        .first()
        .waitFor();
      await app.button("house rules, in 3 files, copies differ").click();
      const dialog = app.page.getByRole("dialog", { name: "Shared block house rules" });
      expect(await dialog.getByRole("textbox", { name: "Text" }).inputValue()).toBe("- Two.\n");
      expect(await dialog.getByText("Another text").count()).toBe(2);
      await dialog.getByRole("button", { name: "Save in all files" }).click();
      const same = await app.kept("one text", (d) => file(d, "main") === block("- Two."));
      expect(file(same, "tester")).toBe(block("- Two."));
      await app.button("house rules, in 3 files").waitFor();
      await until(
        "no problem",
        () => app.page.getByText(/has another text than/).count(),
        (n) => n === 0,
      );
      expect(app.complaints).toEqual([]);
    });
  });

  test("OC-2 a block that only the gateway's file has keeps its text when it is shared", async ({ open }) => {
    await opened(open, async (app, gateway) => {
      gateway.files = { ...gateway.files, "main/AGENTS.md": `Mine.\n${block("- From the gateway.")}` };
      await openAgents(app, "main");
      await app.button("house rules, in 1 file").click();
      const dialog = app.page.getByRole("dialog", { name: "Shared block house rules" });
      const text = dialog.getByRole("textbox", { name: "Text" });
      expect(await text.inputValue()).toBe("- From the gateway.\n");
      await text.fill("a\n<!-- agentflow:shared end: house rules -->");
      await dialog.getByText("The text can't have lines that mark").waitFor();
      expect(await dialog.getByRole("button", { name: "Save in all files" }).isDisabled()).toBe(true);
      await text.fill("- From the gateway.\n");
      await dialog.getByLabel("Writer").check();
      await dialog.getByRole("button", { name: "Save in all files" }).click();
      const both = await app.kept("the copy", (d) => !!file(d, "writer")?.includes("- From the gateway."));
      expect(file(both, "main") ?? gateway.files["main/AGENTS.md"]).toBe(`Mine.\n${block("- From the gateway.")}`);
      expect(app.complaints).toEqual([]);
    });
  });
});
