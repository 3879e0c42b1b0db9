import { fileFault, withFile } from "./files";
import type { Agent, AgentID, Topology } from "./types";

/**
 * Blocks that several workspace files have in common: one name, one text, between two marks. An edit of one copy on the
 * page changes the others. backend/team/teamblock/shared.go finds the same blocks and lints copies that differ.
 */
const mark = (which: "begin" | "end", name: string) => `<!-- agentflow:shared ${which}: ${name} -->`;
const marked = /^<!-- agentflow:shared (begin|end): (.*) -->[ \t]*\r?\n?$/;

/** A block with its text in LF, and where it and its text are in the file. */
export type Shared = { name: string; text: string; from: number; to: number; inside: [from: number, to: number] };

/** The blocks of a text. A begin counts if the end of the same name comes before the next begin. */
export function findShared(file: string): Shared[] {
  if (!file.includes("<!-- agentflow:shared ")) return [];
  const found: Shared[] = [];
  let begun: { name: string; from: number; inside: number } | undefined;
  for (const line of file.matchAll(/[^\n]*\n|[^\n]+$/g)) {
    const [, which, said] = marked.exec(line[0]) ?? [],
      name = said?.trim(),
      next = line.index + line[0].length;
    if (which === "begin" && name) begun = { name, from: line.index, inside: next };
    else if (which === "end" && begun && name === begun.name) {
      const text = file.slice(begun.inside, line.index).replaceAll("\r\n", "\n");
      found.push({ name, text, from: begun.from, to: next, inside: [begun.inside, line.index] });
      begun = undefined;
    }
  }
  return found;
}

/** The longest name of a block, in characters. */
export const SHARED_NAME = 60;

/** Whether a block can have this name: it stands in a comment. */
export const goodName = (name: string): boolean =>
  !!name &&
  [...name].length <= SHARED_NAME &&
  !/--|[<>\r\n]/.test(name) &&
  !name.startsWith("-") &&
  !name.endsWith("-");

/** Whether a text has a line that marks a block: in a block, it would end it. */
export const hasMark = (text: string): boolean => text.split("\n").some((line) => marked.test(line));

const eolOf = (file: string) => (file.includes("\r\n") ? "\r\n" : "\n");
const lines = (text: string) => (text && !text.endsWith("\n") ? `${text}\n` : text);

/** The file with this text in each of its copies of a block, which can get another name. */
export function replaceShared(file: string, name: string, text: string, called = name): string {
  const eol = eolOf(file),
    body = lines(text).replaceAll("\n", eol);
  let out = "",
    at = 0;
  for (const b of findShared(file).filter((x) => x.name === name)) {
    const end = file.slice(b.inside[1], b.to);
    out += file.slice(at, b.from);
    out += called === name ? file.slice(b.from, b.inside[0]) : mark("begin", called) + eol;
    out += body;
    out += called === name ? end : mark("end", called) + (/\r?\n$/.exec(end)?.[0] ?? "");
    at = b.to;
  }
  return out + file.slice(at);
}

/** The file with a block below its text. */
export function addShared(file: string, name: string, text: string): string {
  const eol = eolOf(file),
    block = mark("begin", name) + eol + lines(text).replaceAll("\n", eol) + mark("end", name) + eol;
  return file ? file + (file.endsWith("\n") ? eol : eol + eol) + block : block;
}

/** The file without a block, and without the empty line that came with one at its end. */
export function removeShared(file: string, name: string): string {
  let out = "",
    at = 0;
  for (const b of findShared(file).filter((x) => x.name === name)) {
    out += file.slice(at, b.from);
    at = b.to;
    if (at === file.length) out = out.replace(/(\r?\n)\r?\n$/, "$1");
  }
  return out + file.slice(at);
}

/** One copy of a block: whose file has it, and its text. */
export type Copy = { agent: AgentID; file: string; text: string };

/** The blocks that the files of a team have in common, by name. */
export function sharedOf({ agents }: Pick<Topology, "agents">): Map<string, Copy[]> {
  const out = new Map<string, Copy[]>();
  for (const a of agents)
    for (const [file, { content }] of Object.entries(a.files ?? {}))
      for (const { name, text } of findShared(content))
        out.set(name, [...(out.get(name) ?? []), { agent: a.id, file, text }]);
  return out;
}

/** The agent with another text in a block, in each file that has it. A file that would get too long stays as it is. */
export function withSharedText(a: Agent, name: string, text: string, base?: Agent): Agent {
  let files = a.files;
  for (const [file, { content }] of Object.entries(a.files ?? {})) {
    const next = replaceShared(content, name, text);
    if (next !== content && !fileFault(next)) files = withFile(files, file, next, undefined, base?.files);
  }
  return files === a.files ? a : { ...a, files };
}

/** The blocks whose text an edit of one file changed, each to one new text. */
export function changedShared(before: string, after: string): { name: string; text: string }[] {
  const was = findShared(before);
  if (!was.length) return [];
  const changed = new Map<string, Set<string>>();
  for (const { name, text } of findShared(after)) {
    const old = was.filter((x) => x.name === name);
    if (old.length && old.every((x) => x.text !== text)) changed.set(name, (changed.get(name) ?? new Set()).add(text));
  }
  return [...changed].filter(([, texts]) => texts.size === 1).map(([name, texts]) => ({ name, text: [...texts][0]! }));
}
