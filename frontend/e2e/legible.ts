import type { App } from "./app.ts";

/** Finds texts that overlap, and texts that are cut off without a sign. Leaves out the canvas, which has a separate zoom. */
export const legible = (app: App) =>
  app.page.evaluate(() => {
    type Seen = { text: string; el: Element; r: DOMRect; layer: Element; block: Element };
    const clips = (s: CSSStyleDeclaration) => /hidden|clip/.test(s.overflowX + s.overflowY),
      scrolls = (s: CSSStyleDeclaration) => /auto|scroll/.test(s.overflowX + s.overflowY);
    const found: string[] = [],
      seen: Seen[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let n = texts.nextNode(); n; n = texts.nextNode()) {
      const el = n.parentElement,
        text = (n.nodeValue ?? "").trim();
      if (
        !el ||
        !text ||
        el.closest(
          "script, style, option, textarea, .react-flow__viewport, .sr-only, [data-aria-hidden=true], [aria-hidden=true]:not(.ava):not(kbd), .cm-editor",
        ) ||
        !el.checkVisibility({ opacityProperty: true, visibilityProperty: true, contentVisibilityAuto: true })
      )
        continue;
      const range = document.createRange();
      range.selectNodeContents(n);
      const r = range.getBoundingClientRect();
      if (r.width < 2 || r.height < 2) continue;
      let block: Element | null = null;
      let shown = new DOMRect(r.x, r.y, r.width, r.height),
        hidden = false,
        layer: Element | null = null;
      // Text cut off by a scrolling list can be scrolled to, and an ellipsis shows where text is cut.
      let soft = false;
      for (let box: Element | null = el; box; box = box.parentElement) {
        const s = getComputedStyle(box),
          b = box.getBoundingClientRect();
        if (s.clipPath !== "none" || s.clip !== "auto") hidden = true;
        if (s.textOverflow === "ellipsis" || s.getPropertyValue("-webkit-line-clamp") !== "none") soft = true;
        if (!block && s.display !== "inline") block = box;
        if (
          !layer &&
          (s.position === "fixed" || s.position === "absolute" || s.position === "sticky" || s.zIndex !== "auto")
        )
          layer = box;
        if (scrolls(s)) soft = true;
        if (scrolls(s) || clips(s)) {
          const x = Math.max(shown.x, b.x),
            y = Math.max(shown.y, b.y),
            w = Math.min(shown.right, b.right) - x,
            h = Math.min(shown.bottom, b.bottom) - y;
          if (w <= 1 || h <= 1) hidden = hidden || soft;
          if (!soft && !hidden && (shown.width - w > 2 || shown.height - h > 4)) {
            found.push(
              `cut off: ${text.slice(0, 40)} (${Math.round(shown.width)}×${Math.round(shown.height)} shows ${Math.round(w)}×${Math.round(h)}) in ${box.tagName.toLowerCase()}.${box.className}`,
            );
            hidden = true;
          }
          shown = new DOMRect(x, y, Math.max(0, w), Math.max(0, h));
        }
      }
      if (!hidden && shown.width > 1 && shown.height > 1)
        seen.push({ text, el, r: shown, layer: layer ?? document.body, block: block ?? document.body });
    }
    seen.sort((a, b) => a.r.y - b.r.y);
    for (let i = 0; i < seen.length; i++)
      for (let k = i + 1; k < seen.length; k++) {
        const a = seen[i]!,
          b = seen[k]!;
        if (b.r.y > a.r.bottom) break;
        // What opens over the page may cover it.
        if (a.layer !== b.layer || a.block === b.block || a.el.contains(b.el) || b.el.contains(a.el)) continue;
        const w = Math.min(a.r.right, b.r.right) - Math.max(a.r.x, b.r.x),
          h = Math.min(a.r.bottom, b.r.bottom) - Math.max(a.r.y, b.r.y);
        if (w > 3 && h > Math.min(a.r.height, b.r.height) * 0.4)
          found.push(`overlap: ${a.text.slice(0, 30)} | ${b.text.slice(0, 30)} by ${Math.round(w)}×${Math.round(h)}`);
      }
    return found;
  });

/** Running text in lines so long that the eye loses its way back: more than one, of more than 60 times the height of their letters. Code and tables are as wide as they are. */
export const measure = (app: App) =>
  app.page.evaluate(() => {
    const found: string[] = [],
      most = 60;
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let n = texts.nextNode(); n; n = texts.nextNode()) {
      const el = n.parentElement,
        text = (n.nodeValue ?? "").trim();
      if (
        !el ||
        text.length < 40 ||
        el.closest(
          "script, style, pre, code, table, textarea, .cm-editor, .react-flow__viewport, .sr-only, [aria-hidden=true]",
        ) ||
        !el.checkVisibility({ opacityProperty: true, visibilityProperty: true })
      )
        continue;
      const range = document.createRange();
      range.selectNodeContents(n);
      const lines = [...range.getClientRects()],
        widest = Math.max(0, ...lines.map((r) => r.width)),
        size = parseFloat(getComputedStyle(el).fontSize);
      if (new Set(lines.map((r) => Math.round(r.top))).size > 1 && widest > most * size)
        found.push(
          `a line of ${Math.round(widest / size)} em: ${text.slice(0, 60)} in ${el.tagName.toLowerCase()}.${el.className}`,
        );
    }
    return found;
  });
