import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe } from "vitest";
import { expect, test, until, type App } from "./app.ts";
import { violations } from "./axe.ts";
import { settingsPart } from "./scenes/scene.ts";

/** A second browser of the same person, which nobody has signed in. */
async function stranger(app: App, more: { locale?: string; colorScheme?: "light" | "dark"; width?: number } = {}) {
  const context = await app.context.browser()!.newContext({
    locale: more.locale ?? "en-US",
    colorScheme: more.colorScheme ?? "light",
    viewport: { width: more.width ?? 1280, height: 800 },
  });
  return context.newPage();
}

const shots = process.env.AGENTFLOW_SHOTS;

describe("doors", () => {
  test("TR-4 B13 a signed-out browser can sign in, and learns what a link is, not that the hub is gone", async ({
    open,
  }) => {
    const app = await open();
    const page = await stranger(app);
    await page.goto(app.hub.url);
    await page.getByRole("heading", { name: "Sign in to AgentFlow" }).waitFor();
    expect(await page.getByText("Couldn't reach").count()).toBe(0);
    await page.getByText(/^agentflow login/).waitFor();
    expect(await violations({ page } as App)).toEqual([]);
    await page.getByLabel("Owner's token").fill("a wrong one");
    await page.keyboard.press("Enter");
    await page.getByText("The token isn't right. Check it and try again.").waitFor();
    await page.getByLabel("Owner's token").fill(app.hub.token);
    await page.keyboard.press("Enter");
    await page.locator(".react-flow__node").first().waitFor();
    const stored = await page.evaluate(() =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href]),
    );
    expect(stored).not.toContain(app.hub.token);
    for (const [locale, title] of [
      ["en-US", "This link doesn't work anymore"],
      ["ja-JP", "このリンクは使用できません"],
    ] as const) {
      for (const colorScheme of ["light", "dark"] as const) {
        for (const width of [1280, 390]) {
          const other = await stranger(app, { locale, colorScheme, width });
          await other.goto(app.hub.link);
          await other.getByRole("heading", { name: title }).waitFor();
          expect(await violations({ page: other } as App)).toEqual([]);
          expect(new URL(other.url()).pathname, "the address keeps no link").toBe("/");
          const name = `${locale.slice(0, 2)}-${colorScheme}-${width}`;
          if (shots) await other.screenshot({ path: `${shots}/link-${name}.png` });
          await other.getByRole("link").click();
          await other.locator("input[type=password]").waitFor();
          expect(await other.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${name} fits`).toBe(
            true,
          );
          if (shots) await other.screenshot({ path: `${shots}/signin-${name}.png` });
          await other.context().close();
        }
      }
    }
    await page.context().close();
  });

  test("TR-4 F15 a server on another port of this computer gets the cookie, and is nobody by it", async ({ open }) => {
    const app = await open();
    let heard = "";
    const server = createServer((req, res) => {
      heard ||= req.headers.cookie ?? "";
      res.end("hello");
    });
    await new Promise<void>((done) => {
      server.listen(0, "127.0.0.1", done);
    });
    try {
      const visit = await app.context.newPage();
      await visit.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      expect(heard).toContain("agentflow_session");
      expect(await visit.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))).toBe("{}");
      await visit.close();
      for (const [method, path] of [
        ["GET", "/api/security"],
        ["POST", "/api/links"],
      ] as const) {
        expect((await fetch(app.hub.url + path, { method, headers: { Cookie: heard } })).status, path).toBe(401);
      }
      expect(
        await app.page.evaluate(async () => (await fetch("/api/security")).status),
        "the page's own storage is part of it",
      ).toBe(401);
      app.complaints.length = 0; // the browser complains of that 401
      app.asked.length = 0; // and it was sent to that server on purpose
    } finally {
      server.close();
    }
  });

  test("TR-4 F15 logins are listed and ended, and a signed-out browser shows it at once", async ({ open }) => {
    const app = await open();
    const page = await stranger(app);
    const { path } = await app.hub.ask<{ path: string }>("POST", "/api/links", {});
    await page.goto(app.hub.url + path);
    await page.locator(".react-flow__node").first().waitFor();
    expect(new URL(page.url()).pathname).toBe("/");
    await settingsPart(app, "security");
    const list = app.page.getByRole("list", { name: "Signed-in browsers" });
    await until(
      "both logins",
      () => list.getByRole("listitem").count(),
      (n) => n === 2,
    );
    expect(await list.getByText("This browser").count()).toBe(1);
    if (shots) await app.page.screenshot({ path: `${shots}/logins.png` });
    await list.getByRole("button", { name: /^Sign out Chrome/ }).click();
    await page.getByRole("heading", { name: "Sign in to AgentFlow" }).waitFor();
    await page.getByText("You were signed out on another device").waitFor();
    await until(
      "one login",
      () => list.getByRole("listitem").count(),
      (n) => n === 1,
    );
    await page.context().close();
    await list.getByRole("button", { name: "Sign out this browser" }).click();
    await app.page.getByRole("heading", { name: "Sign in to AgentFlow" }).waitFor();
    expect(await app.page.getByText("signed out on another device").count()).toBe(0);
    const { logins } = await app.hub.ask<{ logins: unknown[] }>("GET", "/api/logins");
    expect(logins).toEqual([]);
    app.complaints.length = 0; // the socket that was ended
  });

  test("TR-4 F21 neither a link nor a script nor a form leads the window away from its page", async ({ open }) => {
    const app = await open(),
      { page } = app;
    let asked = 0;
    const server = createServer((_, res) => {
      asked++;
      res.end("another page");
    });
    await new Promise<void>((done) => {
      server.listen(0, "127.0.0.1", done);
    });
    const other = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    try {
      // The desktop window's methods, as Wails binds them into the page.
      await app.before(
        ({ url, token }) => {
          const w = window as unknown as { opened: string[]; refused: number; go: object; navigation: EventTarget };
          w.opened = [];
          w.refused = 0;
          w.go = {
            main: {
              App: {
                Endpoint: () => Promise.resolve({ url, token }),
                OpenLink: (link: string) => Promise.resolve(void w.opened.push(link)),
                RecentFiles: () => Promise.resolve([]),
              },
            },
          };
          w.navigation.addEventListener("navigateerror", () => w.refused++);
        },
        { url: app.hub.url, token: app.hub.token },
      );
      await page.reload();
      await app.ready();
      const refused = () => page.evaluate(() => (window as unknown as { refused: number }).refused);
      const ways: Record<string, (to: string) => void> = {
        "a script that sets the address": (to) => {
          location.href = to;
        },
        "a script that replaces the address": (to) => {
          location.replace(to);
        },
        "a script that opens it in the same window": (to) => {
          window.open(to, "_self");
        },
        "a link that a script clicks, past the page's own handler": (to) => {
          const a = document.createElement("a");
          a.href = to;
          a.addEventListener("click", (e) => e.stopPropagation());
          const root = document.createElement("div");
          root.attachShadow({ mode: "closed" }).append(a);
          document.body.append(root);
          a.click();
        },
      };
      for (const [what, way] of Object.entries(ways)) {
        const before = await refused();
        await page.evaluate(way, other);
        await until(`${what} to be refused`, refused, (n) => n === before + 1);
        expect(new URL(page.url()).origin, what).toBe(app.hub.url);
      }
      // The page's policy refuses a form before it begins to navigate.
      await page.evaluate((to) => {
        const form = document.createElement("form");
        form.method = "post";
        form.action = to;
        document.body.append(form);
        form.submit();
      }, other);
      await page.evaluate((to) => {
        const a = document.createElement("a");
        a.href = to;
        a.textContent = "outside";
        document.body.append(a);
        a.click();
      }, `${other}outside`);
      expect(await page.evaluate(() => (window as unknown as { opened: string[] }).opened)).toEqual([
        `${other}outside`,
      ]);
      await app.go("rooms");
      await page.getByText("No rooms yet").waitFor();
      expect(asked).toBe(0);
      app.complaints.length = 0; // the browser complains of the form
    } finally {
      server.close();
    }
  });
});
