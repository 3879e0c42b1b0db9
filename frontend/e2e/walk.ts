import { test, expect, until, type App, type Options } from "./app.ts";
import { violations } from "./axe.ts";
import { Hub } from "./hub.ts";
import { legible, measure } from "./legible.ts";
import type { Scene } from "./scenes/scene.ts";
import type { Settings } from "../src/topology/types.ts";

/** What moves, or would: nothing may where the person has asked for less motion. */
const moving = (app: App) =>
  app.page.evaluate(() =>
    document
      .getAnimations()
      .map(
        (a) =>
          `moves: ${(a as CSSAnimation).animationName ?? (a as CSSTransition).transitionProperty ?? a.id} ${(a.effect as KeyframeEffect | null)?.target?.className ?? ""}`,
      ),
  );

/** What reaches out of the page, out of a dialog, or out of what should hold it, so that it cannot be reached. */
const cutOff = (app: App) =>
  app.page.evaluate(() => {
    const boxes = [
      document.documentElement,
      ...document.querySelectorAll("[role=dialog], [role=dialog] .scroll, main .scroll:not([role=grid]), .panel .rows"),
    ];
    const found = boxes.flatMap((e) =>
      e.scrollWidth - e.clientWidth > 1
        ? [`too wide by ${e.scrollWidth - e.clientWidth}: ${e.tagName.toLowerCase()}.${e.className}`]
        : [],
    );
    if (document.documentElement.scrollHeight > innerHeight + 1) found.push("the page is too high");
    // Whatever can be pressed or written in is inside the window, or in something that scrolls to it.
    for (const e of document.querySelectorAll<HTMLElement>(
      "button, a[href], input, textarea, select, [role=menuitem], [role=option], [role=tab]",
    )) {
      const r = e.getBoundingClientRect(),
        s = getComputedStyle(e);
      if (
        !r.width ||
        !r.height ||
        s.visibility === "hidden" ||
        s.clipPath !== "none" ||
        e.closest(".react-flow, [aria-hidden=true], .sr-only")
      )
        continue;
      let box: HTMLElement | null = e.parentElement,
        scrolls = false;
      while (box && !scrolls) {
        const o = getComputedStyle(box);
        scrolls = /auto|scroll/.test(o.overflowX + o.overflowY);
        box = box.parentElement;
      }
      if (!scrolls && (r.left < -1 || r.top < -1 || r.right > innerWidth + 1 || r.bottom > innerHeight + 1))
        found.push(
          `out of the window: ${e.tagName.toLowerCase()} ${e.getAttribute("aria-label") ?? e.innerText.slice(0, 30)} ${Math.round(r.left)},${Math.round(r.top)} ${Math.round(r.width)}×${Math.round(r.height)}`,
        );
    }
    return found;
  });

/** Names and roles are the same in every language and color scheme; contrast isn't. */
const contrast = (app: App) => violations(app, ["color-contrast"]);

const checks = { axe: violations, contrast, still: moving, whole: cutOff, legible, measure };

/** What a check finds and finds again: what lies where it does only on its way there is no fault, but motion is. */
async function lasting(check: keyof typeof checks, app: App): Promise<string[]> {
  let found = await checks[check](app);
  for (let again = 0; found.length && again < 5 && check !== "still"; again++) {
    await new Promise((done) => {
      setTimeout(done, 300);
    });
    found = await checks[check](app);
  }
  return found;
}

/** One walk through scenes, with what is asked of every stop. */
type Walk = {
  title: string;
  options: Options;
  checks: readonly (keyof typeof checks)[];
  /** On a phone: what cannot be reached there is left out. */ phone?: boolean;
  /** Each stop is seen on a large screen, too. */ wide?: boolean;
  settings?: Partial<Settings>;
};

export const english: Walk = {
  title: "English, light, without motion: nothing for axe, nothing cut off, nothing moves; on 1920×1080 neither",
  options: { language: "en", reducedMotion: "reduce" },
  checks: ["axe", "whole", "still", "legible"],
  wide: true,
};
export const japanese: Walk = {
  title: "Japanese, dark: enough contrast, nothing cut off; on 1920×1080 neither",
  options: { language: "ja", colorScheme: "dark", reducedMotion: "no-preference" },
  checks: ["contrast", "whole", "legible"],
  wide: true,
};
/** Text at 200 %, where there is room for a desk and where there is not. What axe asks for, names and contrast, is no other there, or less: the walks above ask it. */
export const large: Walk = {
  title: "text at 200 %: nothing cut off, nothing over anything else",
  options: { language: "en" },
  checks: ["whole", "legible"],
  settings: { textSize: 200 },
};
export const largePhone: Walk = {
  title: "text at 200 % on a phone, Japanese, dark: nothing cut off, nothing over anything else",
  options: { language: "ja", colorScheme: "dark", viewport: { width: 390, height: 844 } },
  checks: ["whole", "legible"],
  phone: true,
  settings: { textSize: 200 },
};

/** Where rows of buttons are longest, and the page narrowest: some phones are smaller than most, so that heads take two rows at any time of the day. */
export const phone: Walk = {
  title: "on a small phone, English: nothing cut off, nothing over anything else",
  options: { language: "en", viewport: { width: 360, height: 780 } },
  checks: ["whole", "legible"],
  phone: true,
};

/** What a screen shows when its window is made as large as most are, before it is made as small again. */
async function onLargeScreen(app: App): Promise<string[]> {
  const was = app.page.viewportSize();
  const size = async (to: { width: number; height: number }) => {
    await app.page.setViewportSize(to);
    let last: (string | null)[] = [];
    await until("the view to rest", async () => {
      const before = last;
      last = await app.page
        .locator(".react-flow__viewport, [data-radix-popper-content-wrapper]")
        .evaluateAll((l) => [`${innerWidth}`, ...l.map((e) => e.getAttribute("style"))]);
      return last.join() === before.join();
    });
  };
  await size({ width: 1920, height: 1080 });
  const found = [
    ...(await lasting("whole", app)),
    ...(await lasting("legible", app)),
    ...(await lasting("measure", app)),
  ];
  if (was) await size(was);
  return found;
}

/** A test for each scene and walk: every stop is reached, and nothing is found there. */
export function walkAll(scenes: readonly Scene[], ...walks: Walk[]): void {
  for (const scene of scenes)
    for (const walk of walks)
      if (!walk.phone || !scene.wideOnly)
        test(`APP-1 ${scene.name}: ${walk.title}`, async ({ open }) => {
          let studio: Promise<Hub> | undefined;
          const ja = walk.options.language === "ja";
          try {
            const app = await open({
              ...walk.options,
              ...scene.options,
              seed: async (hub) => {
                await scene.seed(hub, ja, () => (studio ??= Hub.start()));
                if (walk.settings) await hub.changeSettings(walk.settings);
              },
            });
            const found: Record<string, string[]> = {};
            for (const [name, go] of scene.stops) {
              await go(app, !!walk.phone);
              for (const check of walk.checks) {
                const all = await lasting(check, app);
                if (all.length) found[name] = [...(found[name] ?? []), ...all];
              }
              const large = walk.wide ? await onLargeScreen(app) : [];
              if (large.length) found[`${name} on 1920×1080`] = large;
            }
            expect(found).toEqual({});
            expect(app.complained(...(scene.expected ? [scene.expected] : []))).toEqual([]);
          } finally {
            await (await studio)?.stop();
          }
        }, 240_000);
}
