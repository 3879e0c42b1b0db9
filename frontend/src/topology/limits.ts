import { AGENT_FIELDS, FIELD_BYTES, LIMITS } from "../api/constants";
import { FILE_NAMES, fileFault } from "./files";
import type { Agent, Group, Note, Topology } from "./types";

/** What the hub would refuse of a team, and where. */
export type Fault = {
  agent?: Agent;
  note?: Note;
  group?: Group;
  /** As the hub names it: "persona", "files.SOUL.md", "layout". */
  field: string;
  why: "long" | "number" | "many" | "type" | "file" | "binary" | "twice" | "nested" | "total";
  /** How many bytes or things are possible. */
  most?: number;
};

const bytes = (s: string) => new TextEncoder().encode(s).length;

/** Whether a text has more bytes than the hub takes. */
export const tooLong = (s: string, most: number): boolean => s.length * 3 > most && bytes(s) > most;

const isText = (x: unknown): x is string => typeof x === "string";
const isParts = (x: unknown): x is Record<string, unknown> => typeof x === "object" && x !== null && !Array.isArray(x);

/** Finds the first thing that the hub would refuse, as Validate does in backend/team/topology. */
class Check {
  fault: Fault | undefined;
  private at: Pick<Fault, "agent" | "note" | "group"> = {};

  of(at: Pick<Fault, "agent" | "note" | "group">): void {
    this.at = at;
  }

  no(field: string, why: Fault["why"], most?: number): void {
    this.fault ??= { ...this.at, field, why, ...(most === undefined ? {} : { most }) };
  }

  many(field: string, n: number, most: number): void {
    if (n > most) this.no(field, "many", most);
  }

  text(field: string, s: unknown, most: number): void {
    if (s === undefined) return;
    if (!isText(s)) this.no(field, "type");
    else if (tooLong(s, most)) this.no(field, "long", most);
  }

  texts(field: string, list: readonly unknown[] | undefined, most: number = LIMITS.listed): void {
    this.many(field, list?.length ?? 0, most);
    for (const s of list ?? []) this.text(field, s, LIMITS.text);
  }

  number(field: string, n: number | undefined): void {
    if (n !== undefined && !(Math.abs(n) <= LIMITS.number)) this.no(field, "number", LIMITS.number);
  }

  whole(field: string, n: number | undefined): void {
    if (n !== undefined && !Number.isSafeInteger(n)) this.no(field, "type");
  }

  extra(field: string, all: unknown): void {
    if (!isParts(all)) return;
    const keys = Object.entries(all);
    this.many(field, keys.length, LIMITS.extra);
    for (const [k, v] of keys) {
      this.text(field, k, LIMITS.text);
      this.text(`${field}.${k}`, JSON.stringify(v), LIMITS.persona);
    }
  }

  files(files: unknown): void {
    if (files === undefined) return;
    if (!isParts(files)) return this.no("files", "type");
    for (const [name, file] of Object.entries(files)) {
      const field = `files.${name}`;
      if (!(FILE_NAMES as readonly string[]).includes(name)) this.no(field, "file");
      if (!isParts(file) || !isText(file.content)) return this.no(field, "type");
      const no = fileFault(file.content);
      if (no) this.no(field, no, LIMITS.file);
      this.text(field, file.base, LIMITS.file);
      this.text(field, file.basedOn, 64);
    }
  }

  agent(a: Agent): void {
    this.of({ agent: a });
    this.text("id", a.id, LIMITS.id);
    for (const [name, most] of Object.entries(FIELD_BYTES)) this.text(name, a[name as keyof typeof FIELD_BYTES], most);
    for (const [name, type] of Object.entries(AGENT_FIELDS)) {
      const v: unknown = a[name as keyof typeof AGENT_FIELDS];
      if (type === "texts") this.texts(name, v as string[] | undefined);
      else if (type === "number") this.number(name, v as number | undefined);
      else if (type === "whole") this.whole(name, v as number | undefined);
      else if (type === "files") this.files(v);
    }
    this.text("tools", a.tools?.profile, LIMITS.text);
    this.texts("tools", a.tools?.allow);
    this.texts("tools", a.tools?.deny);
    this.extra("extra", a.extra);
    for (const c of a.connections ?? []) {
      this.text("connections", c.targetId, LIMITS.id);
      this.text("connections", c.type, LIMITS.id);
      this.text("label", c.label, LIMITS.text);
      this.extra("extra", c.extra);
    }
  }

  note(n: Note): void {
    this.of({ note: n });
    this.text("id", n.id, LIMITS.id);
    this.text("text", n.text, LIMITS.persona);
    for (const f of ["x", "y", "width", "height"] as const) this.number(f, n[f]);
    this.whole("color", n.color);
    this.extra("extra", n.extra);
  }

  groups(groups: readonly Group[]): void {
    const parents = new Map(groups.map((g) => [g.id, g.parent])),
      members = new Set<string>();
    for (const g of groups) {
      this.of({ group: g });
      this.text("id", g.id, LIMITS.id);
      this.text("name", g.name, LIMITS.text);
      this.whole("color", g.color);
      this.texts("members", g.members, LIMITS.agents);
      for (const m of g.members ?? []) {
        if (members.has(m)) this.no("members", "twice");
        members.add(m);
      }
      if (g.parent && (!parents.has(g.parent) || parents.get(g.parent))) this.no("parent", "nested");
      this.extra("extra", g.extra);
    }
  }
}

/** The first thing of a team that the hub would refuse. What `had` has as well isn't looked at again. */
export function faultOf(t: Topology, had: Topology = { agents: [] }): Fault | undefined {
  const c = new Check(),
    known = new Set<object>([...had.agents, ...(had.notes ?? [])]);
  c.many("agents", t.agents.length, LIMITS.agents);
  c.many("groups", t.groups?.length ?? 0, LIMITS.items);
  c.many("notes", t.notes?.length ?? 0, LIMITS.items);
  const connections = t.agents.reduce((n, a) => n + (a.connections?.length ?? 0), 0);
  c.many("connections", connections, LIMITS.connections);
  for (const a of t.agents) {
    if (known.has(a)) continue;
    c.agent(a);
    const p = t.layout?.[a.id];
    c.number("layout", p?.x);
    c.number("layout", p?.y);
  }
  if (t.groups !== had.groups) c.groups(t.groups ?? []);
  for (const n of t.notes ?? []) if (!known.has(n)) c.note(n);
  c.of({});
  if (!c.fault && JSON.stringify(t).length > LIMITS.total / 3 && bytes(textsOf(t)) > LIMITS.total)
    c.no("total", "total", LIMITS.total);
  return c.fault;
}

/** All texts of a team in one. Keys and numbers aren't among them. */
function textsOf(t: unknown): string {
  const all: string[] = [];
  const walk = (x: unknown): void => {
    if (isText(x)) all.push(x);
    else if (typeof x === "object" && x) Object.values(x).forEach(walk);
  };
  walk(t);
  return all.join("");
}
