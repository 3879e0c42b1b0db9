import { describe } from "vitest";
import { everything, places } from "./away.ts";
import { expect, test, until, type App } from "./app.ts";

const press = (app: App, ...chords: string[]) =>
  chords.reduce((before, chord) => before.then(() => app.page.keyboard.press(chord)), Promise.resolve());

describe("what has the focus", () => {
  test("APP-1 an agent's node says who, what for, which model, its connections, its problem and its change", async ({
    open,
  }) => {
    const app = await open({
      seed: async (hub) => {
        const [first] = await hub.teams();
        const d = await hub.team(first!.id);
        await hub.save(d.id, {
          ...d.topology,
          agents: d.topology.agents.map((a) =>
            a.id === "writer" ? { ...a, name: "Author", role: "Writes the texts" } : a,
          ),
        });
      },
    });
    const name = await until(
      "the node",
      () => app.node("writer").getAttribute("aria-label"),
      (v) => !!v?.startsWith("Author"),
    );
    expect(name).toContain("Author, Writes the texts, model ");
    expect(name).toMatch(/\d+ connections? from here, \d+ connections? to here/);
    expect(name).toMatch(/Changed: |was /);
    expect(await app.node("writer").getAttribute("aria-roledescription")).toBe("agent");
    expect(await app.page.locator('.react-flow__node[data-id^="note:"]').first().getAttribute("aria-label")).toMatch(
      /^Note: An example team/,
    );
  });

  for (const [language, lines, role] of [
    ["en", ["Delegate: Author to Reviewer, when it is done", "2 connections"], "connection"],
    ["ja", ["指示：Authorから査読へ、when it is done", "接続2件"], "接続"],
  ] as const)
    test(`APP-1 a connection's name gives its kind, its agents and its label, ${language}`, async ({ open }) => {
      const app = await open({
        language,
        seed: async (hub) => {
          const [first] = await hub.teams(),
            d = await hub.team(first!.id),
            reviewer = language === "ja" ? "査読" : "Reviewer";
          const agents = d.topology.agents.map((a) =>
            a.id === "writer"
              ? {
                  ...a,
                  name: "Author",
                  connections: [{ targetId: "reviewer", type: "command", label: "when it is done" }],
                }
              : a.id === "reviewer"
                ? { ...a, name: reviewer, connections: [] }
                : {
                    ...a,
                    connections:
                      a.id === "lead"
                        ? [
                            { targetId: "researcher", type: "command" },
                            { targetId: "backend", type: "command" },
                          ]
                        : [],
                  },
          );
          await hub.save(d.id, {
            ...d.topology,
            agents,
            groups: [{ id: "g", name: "Desk", members: ["researcher", "backend"], collapsed: true }],
          });
        },
      });
      const said = () =>
        app.page
          .locator(".react-flow__edge")
          .evaluateAll((all) =>
            all.map((e) => `${e.getAttribute("aria-roledescription")}: ${e.getAttribute("aria-label")}`),
          );
      const all = await until("both lines", said, (v) => v.length === 2);
      expect(all).toContain(`${role}: ${lines[0]}`);
      expect(all.some((v) => v.includes("Desk") && v.endsWith(lines[1]))).toBe(true);
      // A new name is said at once, at the line as well.
      await app.node("writer").dblclick();
      await app.node("writer").locator("input").fill("Poet");
      await app.page.keyboard.press("Enter");
      await until(
        "the new name",
        said,
        (v) => v.some((x) => x.includes("Poet")) && !v.some((x) => x.includes("Author")),
      );
      expect(app.complaints).toEqual([]);
    });

  test("APP-1 whatever has the focus shows it, on every screen", async ({ open }) => {
    const app = await open({ ...everything(), reducedMotion: "reduce" });
    /** How what has the focus looks, with what stands around it and in it; then without the focus. */
    const looks = () =>
      app.page.evaluate(() => {
        const e = document.activeElement as HTMLElement | null;
        if (!e || e === document.body) return undefined;
        const look = (el: Element) =>
          ["", "::before", "::after"]
            .map((part) => {
              const s = getComputedStyle(el, part);
              return [
                s.outlineStyle,
                s.outlineWidth,
                s.outlineColor,
                s.boxShadow,
                s.borderColor,
                s.backgroundColor,
                s.textDecorationLine,
              ].join();
            })
            .join("|");
        const near = [
          e,
          e.parentElement,
          e.parentElement?.parentElement,
          e.nextElementSibling,
          ...[...e.children].slice(0, 3),
        ].flatMap((el) => (el ? [el] : []));
        const name = `${e.tagName.toLowerCase()} ${e.getAttribute("aria-label") ?? e.innerText.slice(0, 30)} ${e.className}`;
        const held = near.map(look).join();
        e.blur();
        const left = near.map(look).join();
        e.focus();
        return { name, shows: held !== left };
      });
    const found = new Set<string>();
    for (const { name, go } of places) {
      await go(app);
      await app.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      const seen = new Set<string>();
      for (let i = 0; i < 40; i++) {
        await press(app, "Tab");
        const it = await looks();
        if (!it || seen.has(it.name)) continue;
        seen.add(it.name);
        if (!it.shows) found.add(`${name}: ${it.name}`);
      }
      expect([name, seen.size > 5]).toEqual([name, true]);
    }
    expect([...found]).toEqual([]);
  }, 240_000);
});
