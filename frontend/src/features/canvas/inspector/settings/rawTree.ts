// A JSON text with the place of everything in it. It is read as far as it makes sense: somebody is still typing it.

export type JsonNode = {
  kind: "text" | "number" | "boolean" | "null" | "list" | "map";
  from: number;
  to: number;
  value?: string | number | boolean | null;
  /** The keys of a map, in order. */ props?: JsonProp[];
  /** The items of a list. */ items?: JsonNode[];
};
export type JsonProp = { key: string; from: number; to: number; node?: JsonNode };

/** A map or a list that isn't closed, the key that it is the value of, and the key in it whose value is missing. */
type Open = { node: JsonNode; key?: string; prop?: JsonProp };
export type JsonTree = {
  root?: JsonNode;
  /** What is open at the end of the text, outermost first. */ open: Open[];
  /** The word that the text ends in, in the middle of a string or right behind other letters. */
  word?: { from: number; quoted: boolean };
  /** The last mark or value before that word: where it ends and its last letter. */ last?: {
    to: number;
    char: string;
  };
};

const blanks = /[\s\uFEFF]*/y;
const letters = /[\p{L}\p{N}_$.+-]+/uy;

/** Where what an expression matches at a position ends. */
function after(what: RegExp, text: string, from: number): number {
  what.lastIndex = from;
  return what.test(text) ? what.lastIndex : from;
}

/** The end of a string that starts at a position. A string ends with its line. */
function stringEnd(text: string, from: number): { to: number; closed: boolean } {
  for (let i = from + 1; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 34) return { to: i + 1, closed: true };
    if (c === 10) return { to: i, closed: false };
    if (c === 92) i++;
  }
  return { to: text.length, closed: false };
}

function unquoted(text: string): string {
  if (!text.includes("\\") && text.endsWith('"')) return text.slice(1, -1);
  try {
    return JSON.parse(text) as string;
  } catch {
    return text.replace(/^"|"$/g, "");
  }
}

function scalar(word: string): Pick<JsonNode, "kind" | "value"> {
  if (word === "true" || word === "false") return { kind: "boolean", value: word === "true" };
  if (word === "null") return { kind: "null", value: null };
  const n = Number(word);
  return Number.isNaN(n) ? { kind: "text", value: word } : { kind: "number", value: n };
}

/** Reads a text. Without recursion: one that is nested deeply stops nothing. */
export function readTree(text: string): JsonTree {
  const tree: JsonTree = { open: [] },
    { open } = tree;
  const put = (node: JsonNode) => {
    const at = open.at(-1);
    if (!at) tree.root ??= node;
    else if (at.node.kind === "list") at.node.items?.push(node);
    else if (at.prop) {
      at.prop.node = node;
      at.prop = undefined;
    }
  };
  const string = (from: number, to: number) => {
    const at = open.at(-1),
      value = unquoted(text.slice(from, to));
    if (at?.node.kind === "map" && !at.prop) {
      at.prop = { key: value, from, to };
      at.node.props?.push(at.prop);
    } else put({ kind: "text", from, to, value });
  };
  for (let i = 0; i < text.length;) {
    i = after(blanks, text, i);
    if (i >= text.length) break;
    const c = text.charAt(i);
    let to = i + 1;
    if (c === '"') {
      const end = stringEnd(text, i);
      if (end.to === text.length && !end.closed) {
        tree.word = { from: i, quoted: true };
        return tree;
      }
      to = end.to;
      string(i, to);
    } else if (c === "{" || c === "[") {
      const node: JsonNode =
        c === "{"
          ? { kind: "map", from: i, to: text.length, props: [] }
          : { kind: "list", from: i, to: text.length, items: [] };
      const key = open.at(-1)?.prop?.key;
      put(node);
      open.push({ node, key });
    } else if (c === "}" || c === "]") {
      const at = open.pop();
      if (at) at.node.to = to;
    } else if (after(letters, text, i) > i) {
      to = after(letters, text, i);
      const word = text.slice(i, to);
      if (to === text.length) {
        tree.word = { from: i, quoted: false };
        return tree;
      }
      put({ from: i, to, ...scalar(word) });
    } else if (c === ",") {
      const at = open.at(-1);
      if (at) at.prop = undefined;
    }
    tree.last = { to, char: text.charAt(to - 1) };
    i = to;
  }
  return tree;
}
