import { readFile } from "node:fs/promises";
import { describe } from "vitest";
import { violations } from "./axe.ts";
import { expect, test, until } from "./app.ts";
import { FakeGateway } from "./fakeGateway.ts";

type Plan = { after: string; readOnly?: string };

describe("a gateway whose config can't be changed", () => {
  test("OC-4 the review of a managed gateway saves the config as a file, and Settings say why", async ({ open }) => {
    const gateway = await FakeGateway.start({ entries: { main: { name: "Main" }, writer: { name: "Writer" } } });
    gateway.managed = true;
    try {
      const app = await open();
      const id = await gateway.join(app.hub);
      const { topology } = await app.hub.ask<{ topology: { agents: { id: string; name?: string }[] } }>(
        "GET",
        `/api/teams/${id}`,
      );
      await app.hub.save(id, {
        ...topology,
        agents: topology.agents.map((a) => (a.id === "main" ? { ...a, name: "Boss" } : a)),
      });
      await app.openTeam(id);
      await app.button("Review Ctrl+Enter").click();
      await app.page.getByText("This gateway's config is managed elsewhere.").waitFor();
      await app.page.getByText("replace it where it's managed").waitFor();
      expect(await app.button(/^Apply/).count()).toBe(0);
      expect(await violations(app)).toEqual([]);

      const plan = await app.hub.ask<Plan>("POST", `/api/teams/${id}/preview`, {});
      expect(plan.readOnly).toBe("managed");
      const [download] = await Promise.all([app.page.waitForEvent("download"), app.button(/^Save as file/).click()]);
      expect(download.suggestedFilename()).toBe("openclaw.json");
      const text = await readFile(await download.path(), "utf8");
      expect(text).toBe(plan.after);
      expect(text).toContain("Boss");
      await app.page.getByText("openclaw.json saved").waitFor();
      expect(gateway.config.agents.entries.main?.name).toBe("Main");

      await app.go("settings/gateways");
      const card = app.page.getByRole("article", { name: "studio" });
      await card.getByText("This gateway's config is managed elsewhere.").waitFor();
      expect(await violations(app)).toEqual([]);

      gateway.config = JSON.parse(text) as FakeGateway["config"];
      gateway.tellConfig();
      await until(
        "the file in place",
        () => app.hub.ask<{ unsent: number }>("GET", `/api/teams/${id}`),
        (d) => d.unsent === 0,
      );
      expect(app.complaints).toEqual([]);
    } finally {
      await gateway.stop();
    }
  });
});
