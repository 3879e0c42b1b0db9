/** Nested quotes, lists, emphasis or brackets that a message can have. Laying out takes the square of it in time, and a stack of it in depth. */
export const deepest = 50;

const marker = /[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$))/y;
const fence = /^ {0,3}(`{3,}(?!.*`)|~{3,})/;
/** What stands before emphasis that begins; after anything else it may end. */
const opens = /[\s\p{Ps}\p{Pi}*_~!"'-]/u;
const inline = /\*+|_+|~~+|[[\]]/g;

/** How many quotes and lists a line begins. */
function marksOf(line: string): { marks: number; lists: boolean; from: number } {
  let marks = 0,
    lists = false,
    from = 0;
  for (marker.lastIndex = 0; marks <= deepest; marks++) {
    const m = marker.exec(line);
    if (!m) break;
    lists ||= !m[0].endsWith(">");
    from = marker.lastIndex;
  }
  return { marks, lists, from };
}

const indentOf = (line: string) => {
  let n = 0;
  for (const c of line) {
    if (c === " ") n++;
    else if (c === "\t") n += 4 - (n % 4);
    else break;
  }
  return n;
};

/** How deep emphasis and brackets become within one paragraph, as a sum that goes on from line to line. */
function inlineDepth(text: string, had: { emphasis: number; brackets: number }): void {
  for (const { 0: run, index } of text.matchAll(inline)) {
    if (run === "[") had.brackets++;
    else if (run === "]") had.brackets = Math.max(0, had.brackets - 1);
    else if (/\S/.test(text[index + run.length] ?? " ") && opens.test(text[index - 1] ?? " "))
      had.emphasis += run.length;
    else had.emphasis = Math.max(0, had.emphasis - run.length);
    if (Math.max(had.emphasis, had.brackets) > deepest) return;
  }
}

/** Whether a text is nested deeper than it can be laid out as Markdown. An estimate in one pass: what it misses, the boundary around the text catches. */
export function tooDeep(text: string): boolean {
  let code: string | undefined,
    items = 0,
    had = { emphasis: 0, brackets: 0 };
  for (const line of text.split("\n")) {
    const mark = fence.exec(line)?.[1];
    if (code !== undefined) {
      if (mark?.startsWith(code) && line.trim() === mark) code = undefined;
      continue;
    }
    if (mark) {
      code = mark;
      continue;
    }
    const { marks, lists, from } = marksOf(line);
    if (!line.trim() || marks) had = { emphasis: 0, brackets: 0 };
    // A list lies in another by its indentation, and only so often as there were lists before.
    if (marks + Math.min(items, Math.floor(indentOf(line) / 2)) > deepest) return true;
    if (lists) items++;
    else if (line.trim() && !indentOf(line)) items = 0;
    inlineDepth(line.slice(from), had);
    if (Math.max(had.emphasis, had.brackets) > deepest) return true;
  }
  return false;
}
