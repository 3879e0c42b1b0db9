import type { TaskCause, TaskEvent } from "../topology";

/** A piece of what a task has said, in the order in which it came. */
export type OutputBlock =
  | { key: string; kind: "attempt"; n: number; agent: string; at?: string }
  | { key: string; kind: "log"; text: string; cause?: TaskCause; /** Of the attempt that runs. */ n: number; at?: string }
  | { key: string; kind: "text"; text: string }
  | { key: string; kind: "end"; status: string; text: string; cause?: TaskCause; at?: string };

export type Output = { blocks: readonly OutputBlock[]; attempts: number; lines: number; progress: number; seq: number; ended: boolean };
export const noOutput: Output = { blocks: [], attempts: 0, lines: 0, progress: 0, seq: 0, ended: false };

/** A block of text is closed after so many characters, at the end of a line: what stands is never laid out anew. */
const blockSize = 4_000;

const newlines = (text: string) => { let n = 0; for (let i = text.indexOf("\n"); i >= 0; i = text.indexOf("\n", i + 1)) n++; return n; };

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
      blocks.push({ key, kind: "attempt", n: ++attempts, agent: e.agent, at: e.at });
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
  if (last?.kind !== "text") { blocks.push({ key, kind: "text", text }); return; }
  const cut = last.text.length + text.length > blockSize ? text.indexOf("\n") : -1;
  if (cut < 0) { blocks[blocks.length - 1] = { ...last, text: last.text + text }; return; }
  blocks[blocks.length - 1] = { ...last, text: last.text + text.slice(0, cut) };
  if (cut + 1 < text.length) blocks.push({ key, kind: "text", text: text.slice(cut + 1) });
  else blocks.push({ key, kind: "text", text: "" });
}

/** All that was said, as plain text, to be copied. */
export const outputText = (o: Output): string => o.blocks.filter((b) => b.kind === "text" || b.kind === "log").map((b) => b.text).join("\n");
