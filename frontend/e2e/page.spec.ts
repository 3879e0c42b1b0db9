import { request } from "node:http";
import { createGunzip } from "node:zlib";
import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import { again, breakable, breakPart, broken } from "./broken.ts";

const kB = 1000;
const heaviest = 250 * kB;

/** Asks the hub as a browser that takes gzip only, and counts what comes over the wire. */
function gzipped(
  url: string,
  cookie: string,
): Promise<{ bytes: number; text: string; encoding: string; cache: string }> {
  return new Promise((done, fail) => {
    request(url, { headers: { "Accept-Encoding": "gzip", Cookie: cookie } }, (res) => {
      let bytes = 0;
      const parts: Buffer[] = [];
      res.on("data", (b: Buffer) => {
        bytes += b.length;
      });
      const encoding = res.headers["content-encoding"] ?? "";
      const plain = encoding === "gzip" ? res.pipe(createGunzip()) : res;
      plain.on("data", (b: Buffer) => parts.push(b));
      plain.on("end", () =>
        done({ bytes, text: Buffer.concat(parts).toString(), encoding, cache: res.headers["cache-control"] ?? "" }),
      );
      plain.on("error", fail);
    })
      .on("error", fail)
      .end();
  });
}

const cookieOf = async (app: App) => (await app.context.cookies()).map((c) => `${c.name}=${c.value}`).join("; ");

describe("loading", () => {
  test("APP-1 the first load stays within its weight in script, gzipped; the rest comes when it is needed", async ({
    open,
  }) => {
    const app = await open();
    const first = await app.page.evaluate(() => {
      const shown = performance.getEntriesByName("agentflow:first-frame")[0]!.startTime;
      return (performance.getEntriesByType("resource") as PerformanceResourceTiming[])
        .filter((r) => /\.js$/.test(r.name))
        .map((r) => ({ url: r.name, early: r.startTime < shown }));
    });
    // What stands in the page and what that imports; a script that was asked for later is no part of it.
    const cookie = await cookieOf(app);
    const index = await gzipped(app.hub.url, cookie);
    const wanted = [...index.text.matchAll(/(?:src|href)="(\/assets\/[^"]+\.js)"/g)].map((m) => app.hub.url + m[1]!);
    expect(wanted.length).toBeGreaterThan(0);
    const scripts = new Set([...wanted, ...first.filter((r) => r.early && /\/(en|ja)-/.test(r.url)).map((r) => r.url)]);
    for (const url of scripts) {
      const { text } = await gzipped(url, cookie);
      for (const m of text.matchAll(/(?:^|[;}\s])(?:import|export)[^;"'()]*?["']\.\/([^"']+\.js)["']/g))
        scripts.add(new URL(m[1]!, url).href);
    }
    const sizes = await Promise.all([...scripts].map(async (url) => ({ url, ...(await gzipped(url, cookie)) })));
    for (const s of sizes) {
      expect(s.cache, s.url).toBe("public, max-age=31536000, immutable");
      if (s.text.length >= 1024) expect(s.encoding, s.url).toBe("gzip");
    }
    expect(
      sizes.some((s) => s.text.length > 100 * kB),
      "the page's own code is among them",
    ).toBe(true);
    expect(sizes.reduce((n, s) => n + s.bytes, 0)).toBeLessThanOrEqual(heaviest);
    // Editor and screens are not.
    expect(
      [...scripts].filter((u) =>
        /TextDiff|ReviewScreen|HistoryScreen|SettingsScreen|Palette|CanvasMenuList|KindQuestion|TeamMenuPopover|Tip-/.test(
          u,
        ),
      ),
    ).toEqual([]);
  });

  test("APP-1 every screen: no complaint in the console, no request to anywhere else, nothing that the policy forbids", async ({
    open,
  }) => {
    const app = await open();
    await app.page.evaluate(() => {
      document.addEventListener("securitypolicyviolation", (e) => {
        console.error(`policy: ${e.violatedDirective} ${e.blockedURI} ${e.sourceFile}`);
      });
    });
    const d = await app.team();
    await app.hub.save(d.id, {
      ...d.topology,
      agents: d.topology.agents.map((a) => (a.id === "writer" ? { ...a, name: "Editor" } : a)),
    });
    await app.node("writer").getByText("Editor").click();
    await app.page.getByRole("tab", { name: "Tools" }).click();
    // A menu, a list of choices, a dialog and a message: the parts that bring styles of their own.
    await app.node("lead").click({ button: "right" });
    await app.page.keyboard.press("Escape");
    await app.page.keyboard.press("Control+k");
    await app.page.getByRole("dialog").waitFor();
    await app.page.keyboard.press("Escape");
    await app.node("writer").click();
    await app.page.keyboard.press("Delete");
    await app.page
      .getByText(/deleted/)
      .first()
      .waitFor();
    await app.undo();
    for (const screen of ["review", "history", "settings"]) {
      await app.go(screen);
      if (screen === "review") {
        await app.page.locator("[data-change]").first().click();
        await app.page.locator(".cm-editor").first().waitFor();
        await app.page.locator(".react-flow__node").first().waitFor();
      }
      if (screen === "history") {
        await app.page.locator(".react-flow__node").first().waitFor();
      }
      if (screen === "settings") {
        await app.page.getByRole("article").first().waitFor();
        await app.button("Language and appearance").click();
        await app.page.getByRole("heading", { level: 1, name: "Language and appearance" }).waitFor();
      }
    }
    expect(app.strangers()).toEqual([]);
    expect(app.complaints).toEqual([]);
    const policy = (await app.page.request.get(app.hub.url)).headers()["content-security-policy"]!;
    expect(policy).not.toMatch(/unsafe|\*/);
  });
});

describe("a part that breaks", () => {
  test("APP-1 a style that was lost on its way is asked for again, and the screen has it", async ({ open }) => {
    const app = await open();
    let lost = 0;
    await app.page.route(/\/assets\/HistoryScreen-.*\.css$/, (route) => (lost++ ? route.continue() : route.abort()));
    await app.page.reload();
    await app.ready();
    await app.go("history");
    await app.page.locator(".thumb").first().waitFor();
    await until(
      "the style",
      () =>
        app.page
          .locator(".thumb")
          .first()
          .evaluate((e) => getComputedStyle(e).width),
      (w) => w === "44px",
    );
    expect(lost).toBeGreaterThan(1);
    expect(app.complained(/ERR_FAILED/)).toEqual([]);
  });

  test("APP-1 the inspector breaks: canvas and team go on, what was typed stays, and it opens again", async ({
    open,
  }) => {
    const app = await open({ breaks: true });
    await breakable(app, ["inspector.general"]);
    await app.node("lead").click();
    await app.field("Role").fill("Plans, and hands out the work");
    await breakPart(app, "inspector.general");
    await app.node("writer").click();
    await broken(app.page.locator(".panel--side")).waitFor();
    expect(await broken(app).count()).toBe(1);
    await app.node("backend").dblclick();
    await app.node("backend").locator("input").fill("Server side");
    await app.page.keyboard.press("Enter");
    await app.kept(
      "both edits",
      (d) =>
        d.topology.agents.some((a) => a.role === "Plans, and hands out the work") &&
        d.topology.agents.some((a) => a.name === "Server side"),
    );
    await breakPart(app, "");
    await again(app).click();
    await until(
      "the inspector",
      () => app.field("Name").inputValue(),
      (v) => v === "Server side",
    );
    await app.node("lead").click();
    await until(
      "what was typed",
      () => app.field("Role").inputValue(),
      (v) => v === "Plans, and hands out the work",
    );
  });

  test("APP-1 the problems or the canvas break: the field that is being typed in keeps its focus and its text", async ({
    open,
  }) => {
    const app = await open({ breaks: true });
    await breakable(app, ["problems.close", "canvas.minimap"]);
    await app.node("lead").click();
    const role = app.field("Role");
    await role.click();
    await app.page.keyboard.press("Control+a");
    for (const [word, typed] of [
      ["problems.close", "Half a "],
      ["canvas.minimap", "sentence"],
    ] as const) {
      await breakPart(app, word);
      await app.page.keyboard.type(typed, { delay: 5 });
      if (word === "problems.close")
        await app
          .button(/problem/i)
          .last()
          .dispatchEvent("click"); // which leaves the focus where it is
      await broken(word === "problems.close" ? app.page.locator(".panel--bottom") : app)
        .first()
        .waitFor();
      expect(await role.evaluate((e) => e === document.activeElement)).toBe(true);
    }
    expect(await broken(app).count()).toBe(2);
    expect(await role.inputValue()).toBe("Half a sentence");
    await app.kept("what was typed meanwhile", (d) => d.topology.agents[0]?.role === "Half a sentence");
    await breakPart(app, "");
    while (await again(app).count()) await again(app).first().click();
    await app.node("lead").waitFor();
    expect(await broken(app).count()).toBe(0);
  });

  test("APP-5 a screen breaks: the rest of the page stays, and it opens again", async ({ open }) => {
    const app = await open({ breaks: true });
    await app.node("lead").click();
    await app.field("Role").fill("Typed before");
    let bad = true;
    await app.page.route(/\/versions/, async (route) => {
      if (!bad) return route.continue();
      await route.fulfill({ json: { versions: [null], more: false } });
    });
    await app.go("history");
    await broken(app).first().waitFor();
    bad = false;
    await app.go("canvas");
    await app.node("lead").waitFor();
    await until(
      "what was typed",
      () => app.field("Role").inputValue(),
      (v) => v === "Typed before",
    );
    await app.go("history");
    await app.page.locator(".react-flow__node").first().waitFor();
  });
});
