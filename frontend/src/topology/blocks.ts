/**
 * The blocks of workspace files that follow the team. backend/team/teamblock writes their text on every save.
 * The page only puts the marks of one into a file, or takes the block out.
 */
export const BLOCK_OF = { "SOUL.md": "persona", "AGENTS.md": "team" } as const;
export type BlockFile = keyof typeof BLOCK_OF;
export const hasBlockOf = (name: string): name is BlockFile => name in BLOCK_OF;

const mark = (file: BlockFile, which: string) => `<!-- agentflow:${BLOCK_OF[file]} ${which}`;

/** Where the blocks of a text are, each with its last line end. A begin counts if an end comes before the next one. */
export function findBlocks(text: string, file: BlockFile): [from: number, to: number][] {
  const found: [number, number][] = [];
  let from = -1;
  for (const line of text.matchAll(/[^\n]*\n|[^\n]+$/g)) {
    const said = line[0].replace(/[ \t\r\n]+$/, "");
    if (said.startsWith(mark(file, "begin")) && said.endsWith("-->")) from = line.index;
    else if (said === `${mark(file, "end")} -->` && from >= 0) {
      found.push([from, line.index + line[0].length]);
      from = -1;
    }
  }
  return found;
}

/** The text with an empty block below it. */
export function withBlock(text: string, file: BlockFile): string {
  const eol = text.includes("\r\n") ? "\r\n" : "\n",
    block = `${mark(file, "begin")} -->${eol}${mark(file, "end")} -->`;
  if (findBlocks(text, file).length) return text;
  if (!text) return block + eol;
  return text.endsWith("\n") ? text + eol + block + eol : text + eol + eol + block;
}

/** The text without its blocks, and without the empty line that came with one at its end. */
export function withoutBlock(text: string, file: BlockFile): string {
  const blocks = findBlocks(text, file);
  let rest = "",
    at = 0;
  for (const [from, to] of blocks) {
    rest += text.slice(at, from);
    at = to;
  }
  rest += text.slice(at);
  if (!blocks.length || at !== text.length) return rest;
  return text.endsWith("\n") ? rest.replace(/\n\r?\n$/, "\n") : rest.replace(/\r?\n\r?\n$/, "");
}
