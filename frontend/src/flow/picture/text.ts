/** How wide a text is in a font, as CSS writes it: "600 13px sans-serif". */
export type Measure = (text: string, font: string) => number;

/** Measures as the browser draws. */
export function browserMeasure(): Measure {
  const g = document.createElement("canvas").getContext("2d");
  return (text, font) => {
    if (!g) return text.length * 7;
    g.font = font;
    return g.measureText(text).width;
  };
}

/** The text as far as it fits, with an ellipsis where something is cut. Never cuts a letter in two. */
export function cut(text: string, width: number, font: string, measure: Measure): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (measure(line, font) <= width) return line;
  const letters = [...new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(line)].map((s) => s.segment);
  let low = 0,
    high = letters.length;
  while (low < high) {
    const mid = Math.ceil((low + high) / 2);
    if (measure(`${letters.slice(0, mid).join("").trimEnd()}…`, font) <= width) low = mid;
    else high = mid - 1;
  }
  return `${letters.slice(0, low).join("").trimEnd()}…`;
}

const noStart = /^[、。，．・：；？！）」』】〉》ー々,.:;?!)\]}]/u;

/** A text in lines: broken at words, in Japanese between any two letters but before closing marks. */
export function wrap(text: string, width: number, font: string, measure: Measure): string[] {
  const out: string[] = [];
  for (const paragraph of text.split("\n")) {
    let line = "";
    for (const { segment } of new Intl.Segmenter(undefined, { granularity: "word" }).segment(paragraph)) {
      for (const part of measure(segment, font) > width ? [...segment] : [segment]) {
        if (line && measure((line + part).trimEnd(), font) > width && !noStart.test(part)) {
          out.push(line.trimEnd());
          line = part.trimStart();
        } else line += part;
      }
    }
    out.push(line.trimEnd());
  }
  return out;
}
