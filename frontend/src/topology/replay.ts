import { share } from "./share";
import type { Topology } from "./types";

/** An edit made again on another state of the team. */
export type Replayed = {
  topology: Topology;
  /** The edit is about something that differs there. */
  touched: boolean;
  /** Part of the edit couldn't be made: what it changed isn't there, or has another value. */
  lost: boolean;
};

type Parts = Record<string, unknown>;
const isParts = (x: unknown): x is Parts => typeof x === "object" && x !== null && !Array.isArray(x);
const same = (a: unknown, b: unknown) => share(a, b) === a;

/** Where nothing is, these begin empty. Any other object is a thing: without the rest of it, a part means nothing. */
const things = "agents groups notes bindings connections members fallbacks allow deny",
  keyedThings = "layout broadcast defaults messages extra files tools";
const containers = new Set(`${things} ${keyedThings}`.split(" "));

function keyOf(x: unknown): string {
  if (typeof x === "string") return x;
  if (isParts(x) && typeof x.id === "string") return x.id;
  if (isParts(x) && typeof x.targetId === "string") return `${String(x.type)}:${x.targetId}`;
  return JSON.stringify(x);
}

/** The elements of a list by what tells them apart; the second of two that are alike has a number. */
function keyed(list: readonly unknown[]): Map<string, unknown> {
  const out = new Map<string, unknown>();
  for (const x of list) {
    const key = keyOf(x);
    let n = 1;
    while (out.has(n > 1 ? `${key}#${n}` : key)) n++;
    out.set(n > 1 ? `${key}#${n}` : key, x);
  }
  return out;
}

/** The keys in the order of `main`; those that only `other` has stand behind the one that they follow there. */
function woven(main: readonly string[], other: readonly string[]): string[] {
  const first = new Set(main),
    behind = new Map<string, string[]>();
  let last = "";
  for (const k of other) {
    if (first.has(k)) last = k;
    else behind.set(last, [...(behind.get(last) ?? []), k]);
  }
  return [...(first.has("") ? [] : (behind.get("") ?? [])), ...main.flatMap((k) => [k, ...(behind.get(k) ?? [])])];
}

/** Ids that the edit could speak of, and that aren't there. */
function missing(of: "agents" | "groups", was: Topology, now: Topology, on: Topology): Set<string> {
  const before = new Set(was[of]?.map((x) => x.id)),
    there = new Set(on[of]?.map((x) => x.id));
  return new Set(now[of]?.flatMap(({ id }) => (before.has(id) && !there.has(id) ? [id] : [])));
}

class Replay {
  touched = false;
  lost = false;
  private readonly agents: Set<string>;
  private readonly groups: Set<string>;

  constructor(was: Topology, now: Topology, on: Topology) {
    this.agents = missing("agents", was, now, on);
    this.groups = missing("groups", was, now, on);
  }

  value(was: unknown, now: unknown, on: unknown, key: string): unknown {
    if (was === now || same(was, now)) return on;
    const some = now ?? was ?? on;
    if (containers.has(key) && isParts(some)) return this.parts(was ?? {}, now ?? {}, on, key);
    if (containers.has(key) && Array.isArray(some)) return this.list(was ?? [], now ?? [], on, key);
    if (isParts(was) && isParts(now) && isParts(on)) return this.parts(was, now, on);
    if (was === on || same(was, on)) return this.added(now, key);
    this.touched = true;
    if (now === undefined || same(now, on)) return now;
    this.lost = true;
    return on;
  }

  private parts(was: unknown, now: unknown, on: unknown, of?: string): unknown {
    if (!isParts(was) || !isParts(now) || !(on === undefined || isParts(on))) return this.conflict(on);
    const out: Parts = {};
    for (const k of new Set([...Object.keys(on ?? {}), ...Object.keys(now), ...Object.keys(was)])) {
      const v =
        this.agents.has(k) && was[k] === undefined && now[k] !== undefined && on?.[k] === undefined
          ? this.conflict(undefined) // a place of an agent that isn't there
          : this.value(was[k], now[k], on?.[k], of === "broadcast" ? `members ${k}` : k);
      if (v !== undefined) out[k] = v;
    }
    return on === undefined && !Object.keys(out).length ? undefined : out;
  }

  private list(was: unknown, now: unknown, on: unknown, of: string): unknown {
    if (!Array.isArray(was) || !Array.isArray(now) || !(on === undefined || Array.isArray(on)))
      return this.conflict(on);
    const before = keyed(was),
      after = keyed(now),
      there = keyed(on ?? []),
      out = new Map<string, unknown>();
    for (const k of new Set([...there.keys(), ...after.keys(), ...before.keys()])) {
      const v = this.value(before.get(k), after.get(k), there.get(k), `${of}[]`);
      if (v !== undefined) out.set(k, v);
    }
    const kept = [...before.keys()].filter((k) => after.has(k)),
      sorted = kept.join("\n") !== [...after.keys()].filter((k) => before.has(k)).join("\n"),
      order = (of: Map<string, unknown>) => [...of.keys()].filter((k) => out.has(k));
    const keys = sorted ? woven(order(after), order(there)) : woven(order(there), order(after));
    return on === undefined && !keys.length ? undefined : keys.map((k) => out.get(k));
  }

  /** What the edit adds, without what leads to things that aren't there. */
  private added(v: unknown, key: string): unknown {
    if (key === "parent" && typeof v === "string" && this.groups.has(v)) return this.conflict(undefined);
    if (typeof v === "string" && /^(members|allow)\b/.test(key) && this.agents.has(v)) return this.conflict(undefined);
    if (Array.isArray(v)) {
      const all = v.map((x) => this.added(x, key)).filter((x) => x !== undefined);
      return all.length || !v.length ? all : undefined;
    }
    if (!isParts(v)) return v;
    const leads = typeof v.targetId === "string" ? v.targetId : typeof v.agentId === "string" ? v.agentId : undefined;
    if (leads !== undefined && this.agents.has(leads)) return this.conflict(undefined);
    const out: Parts = {};
    let all = true;
    for (const [k, x] of Object.entries(v)) {
      const one = ["connections", "members", "parent"].includes(k)
        ? this.added(x, k)
        : k === "agents"
          ? this.added(x, "members")
          : x;
      if (one !== x && !same(one, x)) all = false;
      if (one !== undefined) out[k] = one;
    }
    return all ? v : out;
  }

  private conflict(on: unknown): unknown {
    this.touched = this.lost = true;
    return on;
  }
}

/** Makes the edit that led from one state of a team to another again on a third. */
export function replay(was: Topology, now: Topology, on: Topology): Replayed {
  if (was === on) return { topology: now, touched: false, lost: false };
  const r = new Replay(was, now, on),
    topology: Parts = {};
  for (const k of new Set([...Object.keys(on), ...Object.keys(now), ...Object.keys(was)])) {
    const key = k as keyof Topology,
      v = r.value(was[key], now[key], on[key], k);
    if (v !== undefined) topology[k] = v;
  }
  return { topology: { agents: [], ...topology }, touched: r.touched, lost: r.lost };
}
