import type { ApiError } from "../api/error";
import type { Topology } from "../topology";
import { replay } from "../topology/replay";

/** An edit of one team, from one state to the next. */
export type Edit = {
  was: Topology;
  topology: Topology;
  label: string;
  coalesce?: string;
  /** It's about a refused edit, which is in `was`. */
  whole?: boolean;
};
/** An edit that the hub refused. */
type Refused = Edit & { error: ApiError };

/** What became of an edit that is taken back, and of those after it. */
export type TakenBack = {
  /** The team with what stays refused. */
  topology: Topology;
  /** Edits that can be sent, in the order in which they were made. */
  free: Edit[];
  /** The labels of edits that can't be made without it. */
  lost: string[];
};

/** The edits that the hub refused, in order. They are shown on top of what is saved until they are undone or mended. */
export class RefusedEdits {
  private list: Refused[] = [];

  get some(): boolean {
    return this.list.length > 0;
  }

  /** The edit that was refused last, and why. */
  get last(): Readonly<Refused> | undefined {
    return this.list.at(-1);
  }

  add({ was, topology, label, coalesce, whole }: Edit, error: ApiError): void {
    const last = this.list.at(-1);
    if (whole && last && coalesce !== undefined && last.coalesce === coalesce)
      Object.assign(last, { topology, label, error }); // more typing in the same field
    else this.list.push({ was, topology, label, coalesce, whole, error });
  }

  /** The hub was asked for all of it again. */
  refusedAgain(error: ApiError): void {
    const last = this.list.at(-1);
    if (last) last.error = error;
  }

  clear(): void {
    this.list = [];
  }

  /** A team with the refused edits on top. */
  over(t: Topology): Topology {
    return this.list.reduce((on, e) => replay(e.was, e.topology, on).topology, t);
  }

  /**
   * Takes an edit back: the very last one, or the last one that was refused for itself. `tip` is the team without
   * refused edits, `later` are edits that weren't sent yet and are based on the refused ones.
   */
  takeBack(which: "last" | "cause", tip: Topology, later: readonly Edit[]): TakenBack {
    const found = which === "last" ? -1 : this.list.findLastIndex((e) => !e.whole),
      at = Math.max(0, found < 0 ? this.list.length - 1 : found),
      after = [...this.list.splice(at).slice(1), ...later];
    let topology = this.over(tip),
      end = tip;
    const free: Edit[] = [],
      lost: string[] = [];
    for (const e of after) {
      const made = replay(e.was, e.topology, topology);
      if (made.lost) {
        lost.push(e.label);
        continue;
      }
      const here = { ...e, was: topology, topology: made.topology, whole: true },
        alone = this.some ? replay(topology, made.topology, end) : made,
        stands = free.some((f) => f.whole) || (this.some && alone.touched);
      if (stands && "error" in e) this.list.push(here as Refused);
      else if (stands) free.push(here);
      else {
        free.push({ ...e, was: end, topology: alone.topology, whole: false });
        end = alone.topology;
      }
      topology = made.topology;
    }
    return { topology, free, lost };
  }
}
