import type { TaskCause, TaskEvent } from "../topology";

/** A piece of what a task has said, in the order in which it came. */
export type OutputBlock =
  | { key: string; kind: "attempt"; n: number; agent: string; review?: boolean; at?: string }
  | {
      key: string;
      kind: "log";
      text: string;
      cause?: TaskCause;
      /** Of the attempt that runs. */ n: number;
      at?: string;
    }
  | { key: string; kind: "text"; text: string }
  | { key: string; kind: "end"; status: string; text: string; cause?: TaskCause; at?: string };

export type Output = {
  blocks: readonly OutputBlock[];
  attempts: number;
  lines: number;
  progress: number;
  seq: number;
  ended: boolean;
};
export const noOutput: Output = { blocks: [], attempts: 0, lines: 0, progress: 0, seq: 0, ended: false };

/**
 * A block of text is closed after so many characters, so that it is never laid out again. It ends at an empty line
 * outside of code, so that each block is complete Markdown, or at the end of any line once it is too long.
 */
const blockSize = 4_000,
  tooLong = 16_000;

/** Where a text may be cut, behind `from`: after an empty line that is not part of code; -1 if nowhere. */
function betweenParagraphs(text: string, from: number): number {
  for (let i = text.indexOf("\n\n", from); i >= 0; i = text.indexOf("\n\n", i + 1)) {
    const fences = text.slice(0, i).match(/^ {0,3}(```|~~~)/gm)?.length ?? 0;
    if (fences % 2 === 0) return i + 2;
  }
  return -1;
}

const newlines = (text: string) => {
  let n = 0;
  for (let i = text.indexOf("\n"); i >= 0; i = text.indexOf("\n", i + 1)) n++;
  return n;
};

/** Adds events; one that is there already is left out. */
export function addEvents(had: Output, events: readonly TaskEvent[]): Output {
  const blocks = had.blocks.slice();
  let { attempts, lines, progress, seq, ended } = had;
  for (const e of events) {
    if (e.seq <= seq) continue;
    seq = e.seq;
    const key = String(e.seq);
    if (e.progress !== undefined) progress = Math.max(progress, e.progress);
    if (e.type === "status" && e.agent) {
      attempts = e.attempt ?? attempts + 1; // one that its agent did not take is not counted
      blocks.push({ key, kind: "attempt", n: attempts, agent: e.agent, review: e.review, at: e.at });
      lines++;
    } else if (e.type === "log" && e.text) {
      blocks.push({ key, kind: "log", text: e.text, cause: e.cause, n: attempts, at: e.at });
      lines++;
    } else if (e.type === "delta" && e.text) {
      addText(blocks, key, e.text);
      lines += newlines(e.text);
    } else if (e.type === "end") {
      ended = true;
      blocks.push({ key, kind: "end", status: e.status ?? "", text: e.errorMessage ?? "", cause: e.cause, at: e.at });
      lines++;
    }
  }
  return { blocks, attempts, lines, progress, seq, ended };
}

function addText(blocks: OutputBlock[], key: string, text: string): void {
  const last = blocks.at(-1);
  if (last?.kind !== "text") {
    blocks.push({ key, kind: "text", text });
    return;
  }
  const all = last.text + text;
  let cut = all.length > blockSize ? betweenParagraphs(all, Math.max(0, last.text.length - 1)) : -1;
  const line = cut < 0 && all.length > tooLong ? all.indexOf("\n", last.text.length) : -1;
  if (line >= 0) cut = line + 1;
  if (cut < 0) {
    blocks[blocks.length - 1] = { ...last, text: all };
    return;
  }
  blocks[blocks.length - 1] = { ...last, text: all.slice(0, line >= 0 ? line : cut) };
  blocks.push({ key, kind: "text", text: all.slice(cut) });
}

/** All that was said, as plain text, to be copied. */
export const outputText = (o: Output): string =>
  o.blocks.reduce(
    (all, b) =>
      b.kind === "text" || b.kind === "log" ? all + (all && !all.endsWith("\n\n") ? "\n" : "") + b.text : all,
    "",
  );
