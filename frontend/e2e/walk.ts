import { test, expect, type App, type Options } from "./app.ts";
import { violations } from "./axe.ts";
import { Hub } from "./hub.ts";
import { legible, measure } from "./legible.ts";
import type { Scene, Stop } from "./scenes/scene.ts";
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

/** Another size of the window or of text, in which a stop is looked at where it stands. */
type Size = {
  name: string;
  window?: { width: number; height: number };
  /** In per cent. */ text?: number;
  checks: readonly (keyof typeof checks)[];
};

const largeScreen: Size = {
  name: "on 1920×1080",
  window: { width: 1920, height: 1080 },
  checks: ["whole", "legible", "measure"],
};
/** Where there is room for a desk. What axe asks for, names and contrast, is no other with large text, or less. */
const largeText: Size = { name: "with text at 200 %", text: 200, checks: ["whole", "legible"] };

/** One walk through scenes, with what is asked of every stop. */
type Walk = {
  title: string;
  options: Options;
  checks: readonly (keyof typeof checks)[];
  /** On a phone: what cannot be reached there is left out. */ phone?: boolean;
  /** In which each stop is seen, too. */ sizes?: readonly Size[];
  settings?: Partial<Settings>;
};

export const english: Walk = {
  title: "English, light, without motion: nothing for axe, nothing cut off, nothing moves; on 1920×1080 neither",
  options: { language: "en", reducedMotion: "reduce" },
  checks: ["axe", "whole", "still", "legible"],
  sizes: [largeScreen],
};
/** With large text where it stands: a third less work than another walk, except where a canvas has to follow. */
export const englishLarge: Walk = {
  ...english,
  title: `${english.title}; with text at 200 % neither`,
  sizes: [largeScreen, largeText],
};
export const japanese: Walk = {
  title: "Japanese, dark: enough contrast, nothing cut off",
  options: { language: "ja", colorScheme: "dark", reducedMotion: "no-preference" },
  checks: ["contrast", "whole", "legible"],
};
/** Text at 200 % from the start, where there is room for a desk. */
export const large: Walk = {
  title: "text at 200 %: nothing cut off, nothing over anything else",
  options: { language: "en" },
  checks: largeText.checks,
  settings: { textSize: largeText.text },
};
/** Text at 200 % where there is no room for a desk: the way through the screens is another one there. */
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

/** Gives the window and the text a size, as a person does, and waits until what follows them rests. */
async function show(app: App, window: Size["window"] | null, text = 100): Promise<void> {
  const is = app.page.viewportSize();
  if (window && (window.width !== is?.width || window.height !== is.height)) await app.page.setViewportSize(window);
  await app.page.evaluate(
    async (size) => {
      const { style } = document.documentElement;
      if (style.fontSize !== size) {
        style.fontSize = size;
        dispatchEvent(new Event("resize"));
      }
      const now = () =>
        [...document.querySelectorAll(".react-flow__viewport, [data-radix-popper-content-wrapper]")]
          .map((e) => e.getAttribute("style"))
          .join();
      for (let last: string | undefined; last !== now();) {
        last = now();
        await new Promise((done) => {
          requestAnimationFrame(() => setTimeout(done, 40));
        });
      }
    },
    text === 100 ? "" : `${text}%`,
  );
}

/** What is found at a stop in other sizes, before all is as it was again. What is open stays open meanwhile. */
async function inSizes(app: App, sizes: readonly Size[], again?: Stop[2]): Promise<[size: string, found: string[]][]> {
  const window = app.page.viewportSize(),
    over = app.page.locator("[role=dialog], [role=menu], [role=listbox]"),
    before = await over.count(),
    found: [string, string[]][] = [];
  for (const size of sizes) {
    await show(app, size.window ?? window, size.text);
    await again?.(app);
    const all = (await over.count()) < before ? ["what was open has closed"] : [];
    for (const check of size.checks) all.push(...(await lasting(check, app)));
    if (all.length) found.push([size.name, all]);
  }
  await show(app, window);
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
            for (const [name, go, again] of scene.stops) {
              await go(app, !!walk.phone);
              for (const check of walk.checks) {
                const all = await lasting(check, app);
                if (all.length) found[name] = [...(found[name] ?? []), ...all];
              }
              for (const [size, all] of walk.sizes ? await inSizes(app, walk.sizes, again) : [])
                found[`${name} ${size}`] = all;
            }
            expect(found).toEqual({});
            expect(app.complained(...(scene.expected ? [scene.expected] : []))).toEqual([]);
          } finally {
            await (await studio)?.stop();
          }
        }, 240_000);
}
