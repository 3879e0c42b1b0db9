import type { Measure } from "./picture/text";

/** What is needed to draw on a canvas in the colors and the letters of the page. */
export type Brush = {
  g: CanvasRenderingContext2D;
  color: (token: string) => string;
  font: (size: number) => string;
  mono: string;
  measure: Measure;
};

const brushes = new WeakMap<HTMLCanvasElement, { theme: string | undefined; brush: Brush }>();

/** The brush of a canvas. Colors are read once per theme, since a read makes the browser compute all styles. */
export function brushOf(el: HTMLCanvasElement): Brush | null {
  const { theme } = document.documentElement.dataset,
    had = brushes.get(el),
    g = el.getContext("2d");
  if (had?.theme === theme && had) return had.brush;
  if (!g) return null;
  const style = getComputedStyle(el),
    known = new Map<string, string>(),
    family = style.fontFamily;
  const color = (token: string) => {
    let c = known.get(token);
    if (c === undefined) known.set(token, (c = style.getPropertyValue(token)));
    return c;
  };
  const brush: Brush = {
    g,
    color,
    font: (size) => `600 ${size}px ${family}`,
    mono: color("--mono") || family,
    measure: (text, font) => {
      g.font = font;
      return g.measureText(text).width;
    },
  };
  brushes.set(el, { theme, brush });
  return brush;
}
