import type { Change } from "@/topology";
import type { Place } from "@/ui";

const indent = (s: string) => (s.match(/^[ ]*/)?.[0] ?? "").length;
const escape = (s: string) => s.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
/** A key, bare or quoted, with what follows it. */
const keyed = (name: string) => new RegExp(`^(\\s*(?:-\\s+)?)["']?${escape(name)}["']?\\s*:`);
const valued = (key: string, value: string) =>
  new RegExp(`^(\\s*)(-\\s+)?["']?${key}["']?\\s*:\\s*["']?${escape(value)}["']?\\s*,?\\s*$`);

type Block = { from: number; to: number };

/** The line that holds line `at`: the nearest above with less indentation. */
function parentOf(lines: string[], at: number, depth: number): number {
  for (let i = at - 1; i >= 0; i--) {
    const s = lines[i] ?? "";
    if (s.trim() && indent(s) < depth) return i;
  }
  return -1;
}

function blockFrom(lines: string[], from: number): Block {
  const depth = indent(lines[from] ?? "");
  let to = from + 1;
  while (to < lines.length && (!lines[to]?.trim() || indent(lines[to] ?? "") > depth)) to++;
  return { from, to };
}

/** An agent's lines: an entry under "agents" or "entries", or an item with its id in a list. */
function agentBlock(lines: string[], id: string): Block | null {
  const key = keyed(id),
    item = valued("id", id);
  for (let i = 0; i < lines.length; i++) {
    const s = lines[i] ?? "";
    if (key.test(s)) {
      const p = parentOf(lines, i, indent(s));
      if (/^\s*["']?(agents|entries)["']?\s*:/.test(lines[p] ?? "")) return blockFrom(lines, i);
    }
    const found = item.exec(s);
    if (found) return blockFrom(lines, found[2] ? i : Math.max(0, parentOf(lines, i, indent(s))));
  }
  return null;
}

function within(lines: string[], b: Block, c: Change): number {
  const find = (test: RegExp, from = b.from) => {
    for (let i = from; i < b.to; i++) if (test.test(lines[i] ?? "")) return i;
    return -1;
  };
  if (c.subject === "connection" && c.target) {
    const holds = new RegExp(`(^|[^\\w-])${escape(c.target)}([^\\w-]|$)`);
    const keys = c.kind === "command" ? ["allowAgents", "connections"] : ["connections"];
    for (const k of keys) {
      const at = find(keyed(k));
      const hit = at < 0 ? -1 : find(holds, at);
      if (hit >= 0) return hit;
      if (at >= 0) return at;
    }
    return b.from;
  }
  if (!c.field) return b.from;
  const name = c.field.split(".").at(-1) ?? "";
  const at = [name, c.field.split(".")[0] ?? ""].map((k) => find(keyed(k), b.from)).find((i) => i >= 0);
  return at ?? b.from;
}

/** Finds a change in the text: in what will stand there, or, where it only was, in what stands there now. */
export function findPlace(before: string, after: string, c: Change | undefined): Place | null {
  if (!c?.agent || c.subject === "layout") return null;
  const sides = c.op === "removed" ? (["before", "after"] as const) : (["after", "before"] as const);
  for (const side of sides) {
    const lines = (side === "before" ? before : after).split("\n");
    const block = agentBlock(lines, c.agent);
    if (block) return { side, line: within(lines, block, c) + 1 };
  }
  return null;
}
