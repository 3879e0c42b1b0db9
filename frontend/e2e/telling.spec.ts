import { describe } from "vitest";
import { violations } from "./axe.ts";
import { expect, test, until } from "./app.ts";
import { apply, file, opened, rules } from "./withFiles.ts";

describe("telling agents about the team", () => {
  test("OC-2 a switch puts the team into AGENTS.md, where it follows the canvas until it is switched off", async ({
    open,
  }) => {
    await opened(open, async (app, gateway) => {
      await app.node("main").click();
      await app.page.getByRole("tab", { name: "Files" }).click();
      await app.button("AGENTS.md").click();
      const tell = app.page.getByRole("switch", { name: "Tell this agent about the team" });
      await tell.focus();
      await app.page.keyboard.press("Space");
      const told = await app.kept("the team in the file", (d) => !!file(d, "main")?.includes("to Writer (writer)."));
      expect(file(told, "main")?.startsWith(`${rules}\r\n<!-- agentflow:team begin`)).toBe(true);
      const text = app.page.getByLabel("Content of AGENTS.md");
      await until(
        "what the hub wrote in the field",
        () => text.inputValue(),
        (v) => v.includes("- You can delegate tasks to Writer (writer).\n"),
      );
      expect(await violations(app)).toEqual([]);
      expect(gateway.files?.["main/AGENTS.md"]).toBe(rules);

      // What is drawn next is in the file at once, beside what a person writes there.
      await text.fill(`Mine.\n${await text.inputValue()}`);
      await app.kept("the person's line", (d) => !!file(d, "main")?.startsWith("Mine.\r\n# Rules"));
      await app.node("writer").click();
      await app.page.getByRole("tab", { name: "General" }).click();
      await app.page.getByLabel("Name", { exact: true }).fill("Author");
      const renamed = await app.kept("the new name", (d) => !!file(d, "main")?.includes("to Author (writer)."));
      expect(file(renamed, "main")?.startsWith("Mine.\r\n# Rules")).toBe(true);
      await app.button(/^Undo/).click();
      await app.kept("the old name", (d) => !!file(d, "main")?.includes("to Writer (writer)."));
      await app.button(/^Redo/).click();
      await app.kept("the new name again", (d) => !!file(d, "main")?.includes("to Author (writer)."));
      await apply(app);
      expect(gateway.files?.["main/AGENTS.md"]).toContain("- You can delegate tasks to Author (writer).\r\n");

      await app.node("main").click();
      await app.page.getByRole("tab", { name: "Files" }).click();
      await app.button(/AGENTS\.md/).click();
      await tell.click();
      await app.kept("the file without the team", (d) => file(d, "main") === `Mine.\r\n${rules}`);
      await apply(app); // the notice of the first apply can still be there
      await until(
        "the file without the team on the gateway",
        () => gateway.files?.["main/AGENTS.md"],
        (text) => text === `Mine.\r\n${rules}`,
      );
      expect(app.complaints).toEqual([]);
    });
  });

  test("OC-2 one step tells several agents; the persona goes into SOUL.md; in Japanese and dark", async ({ open }) => {
    await opened(
      open,
      async (app) => {
        await app.node("main").click();
        await app.node("writer").click({ modifiers: ["Shift"] });
        const several = app.page.getByRole("switch", { name: "選択した2体にチームのことを伝える" });
        await several.click();
        const told = await app.kept("both files", (d) => !!file(d, "main") && !!file(d, "writer"));
        expect(file(told, "main")).toContain("You are Main (main).");
        expect(file(told, "writer")).toMatch(/^# Writer\n\n<!-- agentflow:team begin/);
        expect(file(told, "writer")).toContain("- You get tasks from Main (main).");
        await until(
          "the switch to be on",
          () => several.getAttribute("aria-checked"),
          (v) => v === "true",
        );
        expect(await violations(app)).toEqual([]);
        await app.page.keyboard.press("Control+z");
        await app.kept("none of them", (d) => !file(d, "main") && !file(d, "writer"));

        await app.hub.save((await app.team()).id, {
          ...(await app.team()).topology,
          agents: (await app.team()).topology.agents.map((a) =>
            a.id === "tester" ? { ...a, persona: "厳しく。" } : a,
          ),
        });
        await app.page.keyboard.press("Escape");
        await app.node("tester").click();
        await app.page.getByRole("tab", { name: "ファイル" }).click();
        // A block that the gateway's file has from elsewhere follows this team once it is switched on here.
        await app.button("AGENTS.md").click();
        const tell = app.page.getByRole("switch", { name: /^このエージェントにチームのこと/ });
        await app.page.getByText(/このチームに合わせて更新されません/).waitFor();
        expect([await tell.getAttribute("aria-checked"), file(await app.team(), "tester")]).toEqual([
          "false",
          undefined,
        ]);
        await tell.click();
        const now = await app.kept("the block as the team is", (d) => !!file(d, "tester")?.includes("You are Tester"));
        expect(file(now, "tester")).toMatch(/^Mine\.\n\n<!-- agentflow:team begin/);
        expect(file(now, "tester")).not.toContain("somebody");
        await app.button("すべてのファイル").click();
        await app.button("SOUL.md").click();
        await app.page.getByRole("switch", { name: "ペルソナをこのファイルに書き込む" }).click();
        await app.kept("the persona", (d) => !!file(d, "tester", "SOUL.md")?.includes("-->\n厳しく。\n<!--"));
        expect(await violations(app)).toEqual([]);
        expect(app.complaints).toEqual([]);
      },
      { language: "ja", colorScheme: "dark" },
    );
  });
});
