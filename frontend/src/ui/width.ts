// How wide the page is for its text: at twice the size of text, half as wide. What lays itself out by width asks here,
// because a media query does not know the size that the person has chosen.

let scale = 1;
const heard = new Set<() => void>();

/** How large text is, 1 where neither the person nor the browser made it larger. */
export const textScale = () => scale;

/** Calls back when the size of text has changed. */
export function onTextScale(on: () => void): () => void {
  heard.add(on);
  return () => {
    heard.delete(on);
  };
}

/** A media query about the width or height for text, as one about the window. */
export const forText = (query: string, by = scale) =>
  query.replace(
    /(max|min)-(width|height): (\d+)px/g,
    (_, end: string, side: string, n: string) => `${end}-${side}: ${(Number(n) + (end === "max" ? 0.98 : 0)) * by}px`,
  );

const forms = [
  ["wide", 1200],
  ["between", 960],
  ["narrow", 640],
] as const;

function measure(): void {
  const root = document.documentElement,
    now = parseFloat(getComputedStyle(root).fontSize) / 16 || 1;
  root.style.setProperty("--text-scale", String(now));
  root.dataset.width = forms.find(([, least]) => innerWidth / now >= least)?.[0] ?? "phone";
  root.dataset.text = now < 1.3 ? "usual" : "large";
  if (now === scale) return;
  scale = now;
  for (const on of heard) on();
}

/** Shows all text at a size, in per cent of what the browser is set to. */
export function setTextSize(percent: number): void {
  document.documentElement.style.fontSize = percent === 100 ? "" : `${percent}%`;
  measure();
}

/** Keeps the page's form current. */
export function followWidth(): () => void {
  measure();
  addEventListener("resize", measure);
  return () => removeEventListener("resize", measure);
}
