import type { Topology } from "../topology";

/** So many versions are remembered. */
const most = 60;
export type Way = "undo" | "redo";
export type Seen = { head: string; topology: Topology };

/** The versions of a team that this page has seen, and the steps between them: so it knows where undo and redo lead before the hub has said so. */
export class Trail {
  private readonly seen = new Map<string, Topology>();
  private readonly ways: Record<Way, Map<string, string>> = { undo: new Map(), redo: new Map() };

  /** The hub has this version. */
  at(head: string, topology: Topology): void {
    this.seen.delete(head);
    this.seen.set(head, topology);
    if (this.seen.size <= most) return;
    const [oldest] = this.seen.keys();
    if (oldest === undefined) return;
    this.seen.delete(oldest);
    this.ways.undo.delete(oldest);
    this.ways.redo.delete(oldest);
  }

  /** An edit made here brought the team from one version to the next, or joined the one that was the last. */
  grew(from: string, head: string, topology: Topology): void {
    this.at(head, topology);
    this.ways.redo.delete(from);
    if (from !== head) this.ways.undo.set(head, from);
  }

  /** The hub went a step back or forth. */
  went(way: Way, from: string, to: string): void {
    this.ways[way].set(from, to);
    this.ways[way === "undo" ? "redo" : "undo"].set(to, from);
  }

  /** Where a step leads, as far as it is known here. */
  next(way: Way, from: string): Seen | undefined {
    const head = this.ways[way].get(from),
      topology = head === undefined ? undefined : this.seen.get(head);
    return head !== undefined && topology ? { head, topology } : undefined;
  }
}
