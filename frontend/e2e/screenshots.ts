import { mkdirSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { fileURLToPath } from "node:url";
import { Hub } from "./hub.ts";
import { scenes } from "./scenes/index.ts";
import { shows, stage } from "./showcase.ts";
import { changes, elsewhere, redraw, seedShop, withAgent, withLine, without } from "./seed.ts";
import { test, until, type App } from "./app.ts";

// The pictures of the README and the guide, drawn by the program itself.

const images = fileURLToPath(new URL("../../docs/images/", import.meta.url));
mkdirSync(images, { recursive: true });

async function picture(app: App, name: string): Promise<void> {
  await app.page.evaluate(() => document.fonts.ready);
  await app.page.mouse.move(2, 2);
  let last: Buffer = Buffer.alloc(0);
  await until("the page to rest", async () => {
    await app.page.evaluate(sameEveryTime, userInfo().username);
    const before = last;
    last = await app.page.screenshot({ animations: "disabled", caret: "hide" });
    return last.equals(before);
  });
  writeFileSync(`${images}${name}.png`, last);
}

/** Clock, free ports, new ids and who sits here differ from run to run; a picture should change only when the page does. Runs in the page. */
function sameEveryTime(user: string): void {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT),
    ports = new Map<string, number>([
      ["18800", 18800],
      ["18789", 18789],
    ]);
  const port = (was: string) => {
    if (!ports.has(was)) ports.set(was, ports.size === 2 ? 18800 : 18789);
    return String(ports.get(was));
  };
  while (texts.nextNode()) {
    const n = texts.currentNode,
      text = n.nodeValue ?? "";
    const now = text
      .replace(/\b\d\d:\d\d\b/g, "10:24")
      .replace(/(127\.0\.0\.1:)(\d+)/g, (_, host: string, was: string) => host + port(was))
      .replace(/^\d+ ms$/, "2 ms")
      .replace(/\b01[0-9A-Z]{24}\b/g, "01M80512WFZPY9ZGMGZX61EQBC")
      .replace(/^[A-Z][a-z]{2} \d+, 2\d{3}/, "Nov 21, 2026")
      .replace(/^\S+$/, (word) => (word === user ? "sato" : word === user.slice(0, 2).toUpperCase() ? "SA" : word));
    if (now !== text) n.nodeValue = now;
  }
}

const big = { width: 1280, height: 800 };
const drawn = async (app: App, n: number) => {
  await until(
    "the team",
    () => app.page.locator(".react-flow__node-agent").count(),
    (c) => c === n,
  );
  await app.ready();
};

test("canvas, light", async ({ open }) => {
  const app = await open({
    viewport: big,
    seed: async (hub) => {
      await changes(hub, await seedShop(hub, false), false);
    },
  });
  await drawn(app, 10);
  await app.node("docs").click();
  await picture(app, "canvas");
});

test("canvas, dark, Japanese", async ({ open }) => {
  const app = await open({
    viewport: big,
    language: "ja",
    colorScheme: "dark",
    seed: async (hub) => {
      await changes(hub, await seedShop(hub, true), true);
    },
  });
  await drawn(app, 10);
  await app.node("docs").click();
  await picture(app, "canvas-ja-dark");
});

for (const ja of [false, true])
  test(`review, ${ja ? "dark, Japanese" : "light"}`, async ({ open }) => {
    const app = await open({
      viewport: big,
      language: ja ? "ja" : "en",
      colorScheme: ja ? "dark" : "light",
      seed: async (hub) => {
        await changes(hub, await seedShop(hub, ja), ja);
      },
    });
    await app.go("review");
    await app.page.locator("[data-change]").first().waitFor();
    await until(
      "the text",
      () => app.page.locator(".textdiff .cm-line").count(),
      (n) => n > 4,
    );
    await picture(app, ja ? "review-ja-dark" : "review");
  });

test("merge", async ({ open }) => {
  const app = await open({
    viewport: big,
    seed: async (hub) => {
      const id = await seedShop(hub, false);
      await changes(hub, id, false);
      await redraw(
        hub,
        id,
        "edit.persona",
        withAgent("docs", { persona: "You write for people in a hurry: short sentences, at most one page." }),
      );
      await elsewhere(hub);
    },
  });
  await app.toMerge();
  await app.page.getByRole("radio", { name: "Yours" }).first().click();
  await until(
    "the result's text",
    () => app.page.locator(".merge-results .cm-line").count(),
    (n) => n > 4,
  );
  await picture(app, "merge");
});

test("history", async ({ open }) => {
  const app = await open({
    viewport: big,
    seed: async (hub) => {
      const id = await seedShop(hub, false);
      const {
        versions: [version],
      } = await hub.ask<{ versions: { id: string }[] }>("GET", `/api/teams/${id}/versions`);
      await hub.ask("PATCH", `/api/teams/${id}/versions/${version!.id}`, { name: "Before the spring release" });
      await changes(hub, id, false);
      await hub.apply(id);
      await redraw(hub, id, "edit.name|Night watch", withAgent("sre", { name: "Night watch" }));
      await redraw(hub, id, "edit.disconnect", without("arch", "qa"));
      await redraw(hub, id, "edit.connect", withLine("lead", "command", "qa"));
    },
  });
  await app.go("history");
  await app.page.locator(".react-flow__node").first().waitFor();
  await picture(app, "history");
});

test("settings", async ({ open }) => {
  const studio = await Hub.start();
  try {
    const app = await open({
      viewport: big,
      language: "ja",
      seed: async (hub) => {
        await seedShop(hub, true);
        await hub.ask("POST", "/api/gateways", {
          name: "スタジオ",
          url: `ws://127.0.0.1:${studio.port}/gateway`,
          token: studio.token,
          color: 4,
        });
        await hub.ask("POST", "/api/gateways", {
          name: "オフィス",
          url: `ws://127.0.0.1:${studio.port}/gateway`,
          token: "expired",
          color: 7,
        });
      },
    });
    await app.go("settings");
    await app.page.getByRole("article", { name: "スタジオ" }).getByText("接続済み").waitFor();
    await picture(app, "settings-ja");
  } finally {
    await studio.stop();
  }
});

test("first start", async ({ open }) => {
  const app = await open({ viewport: big, firstRun: true });
  await drawn(app, 5);
  await picture(app, "first-start");
});

test("phone", async ({ open }) => {
  const app = await open({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    hasTouch: true,
    isMobile: true,
    language: "ja",
    seed: async (hub) => {
      await changes(hub, await seedShop(hub, true), true);
    },
  });
  await drawn(app, 10);
  await picture(app, "phone-ja");
});

// The team talking and at work, with somebody who still writes.
for (const show of shows)
  for (const ja of [false, true]) {
    if (ja && show.name !== "rooms") continue;
    test(`${show.name}, ${ja ? "dark, Japanese" : "light"}`, async ({ open }) => {
      let end = () => Promise.resolve();
      try {
        const app = await open({
          viewport: big,
          language: ja ? "ja" : "en",
          colorScheme: ja ? "dark" : "light",
          seed: async (hub) => {
            end = await stage(hub, show, ja);
          },
        });
        await show.go(app);
        await picture(app, ja ? `${show.name}-ja-dark` : show.name);
      } finally {
        await end();
      }
    }, 120_000);
  }

for (const ja of [false, true])
  test(`plan, ${ja ? "dark, Japanese" : "light"}`, async ({ open }) => {
    const scene = scenes.find((s) => s.name === "plan")!,
      studio = await Hub.start();
    try {
      const app = await open({
        ...scene.options,
        viewport: big,
        language: ja ? "ja" : "en",
        colorScheme: ja ? "dark" : "light",
        seed: (hub) => scene.seed(hub, ja, () => Promise.resolve(studio)).then(() => undefined),
      });
      for (const [, go] of scene.stops) await go(app, false);
      await picture(app, ja ? "plan-ja-dark" : "plan");
    } finally {
      await studio.stop();
    }
  }, 120_000);
