import type { Problem, Setting } from "@/topology";
import { isOwn, problemPath } from "./rawRead";
import { readTree, type JsonNode, type JsonProp } from "./rawTree";
import { ANY, beyond, faultAt, pathText, placeOf, REDACTED, type Path } from "./tree";

// What is wrong in the settings' JSON, and where. Everything here is pure.

type Bound = "minimum" | "exclusiveMinimum" | "maximum" | "exclusiveMaximum";
type What =
  | { what: "json"; line: number; column: number }
  | { what: "object" | "unknown" | "integer" }
  | { what: "own"; path: string }
  | { what: "choice"; choices: readonly string[] }
  | { what: "kind"; kinds: readonly string[] }
  | { what: Bound; bound: number }
  /** The hub says it. */
  | { what: "problem"; problem: Problem };
export type Mark = {
  from: number;
  to: number;
  line: number;
  severity: "error" | "warning" | "info";
  /** Of the key. */ path?: string;
} & What;

export type LintOptions = {
  settings: readonly Setting[];
  /** The gateway has more settings than these. */ truncated?: boolean;
  /** No other field edits one of them. */ whole?: boolean;
  problems?: readonly Problem[];
};

/** More marks than that help nobody. */
const most = 100;
/** Keys that AgentFlow reads itself, whatever the gateway knows. */
const ours = new Set(["mcpServers", "mcpPolicy", "security", "options"]);
/** A text that stands for another: a variable, or a stored secret. */
const filledIn = new RegExp(`\\$\\{|${REDACTED}`);
const known = new Set(["text", "number", "integer", "boolean", "choice", "list", "map", "group"]);

const kindsOf: Record<JsonNode["kind"], readonly string[]> = {
  text: ["text", "choice"],
  number: ["number", "integer"],
  boolean: ["boolean"],
  null: [],
  list: ["list"],
  map: ["map", "group"],
};

/** What is wrong with a single value. */
function valueFault(s: Pick<Setting, "kinds" | "choices" | "bounds">, node: JsonNode): What | undefined {
  if (!s.kinds.length || !s.kinds.every((k) => known.has(k))) return undefined;
  if (!kindsOf[node.kind].some((k) => s.kinds.includes(k))) return { what: "kind", kinds: s.kinds };
  const is = (kind: string) => s.kinds.includes(kind);
  if (node.kind === "text" && filledIn.test(String(node.value))) return undefined;
  if (node.kind === "text" && !is("text") && s.choices?.length && !s.choices.includes(String(node.value)))
    return { what: "choice", choices: s.choices };
  if (node.kind !== "number" || is("text")) return undefined;
  if (!is("number") && !Number.isInteger(node.value)) return { what: "integer" };
  const b = beyond({ key: "", kinds: [...s.kinds], bounds: s.bounds }, Number(node.value));
  return b && "bound" in b ? { what: b.fault, bound: b.bound } : undefined;
}

/** The key at a path such as sandbox.mode, or the one nearest to it. A key can have dots itself. */
function propAt(node: JsonNode | undefined, path: string): JsonProp | undefined {
  const prop = node?.props?.find((p) => path === p.key || path.startsWith(`${p.key}.`));
  return prop && (propAt(prop.node, path.slice(prop.key.length + 1)) ?? prop);
}

type Add = (at: { from: number; to: number }, severity: Mark["severity"], what: What, path?: string) => void;

/** Marks a text that isn't JSON, or no object. */
function textFault(text: string, root: JsonNode | undefined, end: number, add: Add): void {
  if (end !== Infinity) {
    const from = Math.max(0, Math.min(end, text.length - 1));
    add({ from, to: from + 1 }, "error", { what: "json", ...placeOf(text, end) });
  } else if (root && root.kind !== "null") add(root, "error", { what: "object" });
}

/** Where a text stops being JSON; Infinity where it doesn't. */
function endOf(text: string): number {
  try {
    JSON.parse(text);
    return Infinity;
  } catch {
    return faultAt(text);
  }
}

type Level = {
  node: JsonNode;
  path: Path;
  below: readonly Setting[];
  /** Takes keys that nothing is known of. */ open: boolean;
};

/** Marks what the schema doesn't permit, up to a position. Without recursion: the text can be nested deeply. */
function checkValues(root: JsonNode, end: number, o: LintOptions, said: ReadonlySet<string>, add: Add): void {
  const levels: Level[] = [{ node: root, path: [], below: o.settings, open: !o.settings.length || !!o.truncated }];
  for (let n = 0, at = levels[n]; at; at = levels[++n]) {
    const byKey = new Map(at.below.map((s) => [s.key, s])),
      top = !at.path.length;
    for (const p of at.node.props ?? []) {
      if (p.to > end) break;
      const path = [...at.path, p.key],
        { node } = p;
      if (!o.whole && isOwn(path, node?.kind === "map")) {
        add(p, "error", { what: "own", path: pathText(path) });
        continue;
      }
      const setting = byKey.get(p.key) ?? byKey.get(ANY),
        heard = said.has(pathText(path));
      if (node?.kind === "map" && (top || setting?.settings?.length)) {
        const below = setting?.settings ?? [];
        const open = !below.length || !!o.truncated || !!setting?.kinds.some((k) => k === "any" || k === "map");
        levels.push({ node, path, below, open });
      }
      if (heard) continue;
      if (!setting) {
        if (!at.open && !(top && ours.has(p.key))) add(p, "info", { what: "unknown" }, pathText(path));
      } else if (node && node.to <= end) {
        const fault = valueFault(setting, node);
        if (fault) add(node, "warning", fault, pathText(path));
        else if (setting.items)
          for (const item of node.items ?? []) {
            const wrong = valueFault(setting.items, item);
            if (wrong) add(item, "warning", wrong, pathText(path));
          }
      }
    }
  }
}

/** Everything that is wrong in a text, in order. Up to where it stops being JSON, its values are read too. */
export function rawLint(text: string, options: LintOptions): Mark[] {
  if (!text.trim()) return [];
  const marks: Mark[] = [],
    said = new Set<string>(),
    { root } = readTree(`${text}\n`),
    end = endOf(text);
  const add: Add = (at, severity, what, path) => {
    const to = Math.min(at.to, text.length);
    if (marks.length < most) marks.push({ from: at.from, to, line: 0, severity, path, ...what });
  };
  if (end !== Infinity || root?.kind !== "map") {
    textFault(text, root, end, add);
    if (root?.kind !== "map") return marks.map((m) => ({ ...m, line: placeOf(text, m.from).line }));
  }
  for (const problem of (options.problems ?? []).slice(0, most)) {
    if (!problem.field?.startsWith("extra.")) continue;
    const path = problemPath(problem),
      prop = propAt(root, path);
    if (!prop || prop.to > end) continue;
    said.add(path);
    add(prop, problem.severity === "error" ? "error" : "warning", { what: "problem", problem });
  }
  checkValues(root, end, options, said, add);
  marks.sort((a, b) => a.from - b.from);
  let line = 1,
    read = 0;
  for (const m of marks) {
    for (; read < m.from; read++) if (text.charCodeAt(read) === 10) line++;
    m.line = line;
  }
  return marks;
}
