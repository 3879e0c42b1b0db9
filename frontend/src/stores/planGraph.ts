import { inOrder, needsOf, type Link } from "./planNeeds";
import { phasesOf, type PlanItem, type PlanModel } from "./planTree";

export const boxW = 208,
  boxH = 52;
const stepX = boxW + 76,
  stepY = boxH + 20,
  pad = 20,
  title = 28,
  gap = 28;

export type Place = { x: number; y: number };
export type PhaseFrame = Place & { key: string; name: string; width: number; height: number };
export type PlanPicture = {
  places: ReadonlyMap<string, Place>;
  frames: readonly PhaseFrame[];
  links: readonly Link[];
  /** From a task to what it hangs below, where that is drawn. */ parts: readonly Link[];
  shown: readonly PlanItem[];
  width: number;
  height: number;
};

/** The tasks that are drawn: the leaves, and what has tasks below it where somebody waits for it or it waits itself. */
function drawn(model: PlanModel): Set<string> {
  const out = new Set<string>();
  for (const item of model.items.values()) {
    if (!item.children.length) out.add(item.id);
    for (const d of item.task.dependencies)
      if (model.items.has(d)) {
        out.add(d);
        out.add(item.id);
      }
  }
  return out;
}

/** The column of each task: one further right than all that it waits for. */
function columnsOf(model: PlanModel, shown: ReadonlySet<string>): Map<string, number> {
  const columns = new Map<string, number>();
  for (const item of inOrder(model)) {
    const inner = item.children.length > 0,
      step = inner && !shown.has(item.id) ? 0 : 1;
    let at = 0;
    for (const id of inner ? [...item.children, ...needsOf(model, item)] : needsOf(model, item))
      at = Math.max(at, (columns.get(id) ?? -step) + step);
    columns.set(item.id, at);
  }
  return columns;
}

type Band = { key: string; name: string; ids: string[] };

/** The tasks that are drawn, by the phase of what they hang below; in the order of the tree. */
function bandsOf(model: PlanModel, shown: ReadonlySet<string>): { framed: boolean; bands: Band[] } {
  const phases = phasesOf(model),
    bands = (phases ?? [{ key: "", name: "", ids: model.top }]).map(({ key, name, ids }) => {
      const below: string[] = [],
        path = [...ids].reverse();
      for (let id = path.pop(); id !== undefined; id = path.pop()) {
        if (shown.has(id)) below.push(id);
        const children = model.items.get(id)?.children ?? [];
        for (let i = children.length - 1; i >= 0; i--) path.push(children[i] as string);
      }
      return { key, name, ids: below };
    });
  return { framed: !!phases, bands: bands.filter((b) => b.ids.length > 0) };
}

/** Rows within a band, column by column: each task as near as there is room to those it waits for. What nobody waits for and waits for nobody stands below, in a block. */
function rowsIn(
  band: Band,
  columns: ReadonlyMap<string, number>,
  near: ReadonlyMap<string, readonly string[]>,
  wide: number,
): Map<string, { column: number; row: number }> {
  const out = new Map<string, { column: number; row: number }>(),
    by = new Map<number, string[]>(),
    alone: string[] = [];
  for (const id of band.ids) {
    if (!near.has(id)) {
      alone.push(id);
      continue;
    }
    const c = columns.get(id) ?? 0,
      had = by.get(c);
    if (had) had.push(id);
    else by.set(c, [id]);
  }
  let rows = 0;
  for (const c of [...by.keys()].sort((a, b) => a - b)) {
    const wish = new Map<string, number>(),
      ids = by.get(c) as string[];
    ids.forEach((id, i) => {
      const before = (near.get(id) ?? []).flatMap((n) => {
        const at = out.get(n);
        return at && at.column < c ? [at.row] : [];
      });
      wish.set(id, before.length ? before.reduce((a, b) => a + b, 0) / before.length : c === 0 ? i : rows);
    });
    let free = 0;
    for (const id of ids.sort((a, b) => (wish.get(a) ?? 0) - (wish.get(b) ?? 0))) {
      const row = Math.max(free, Math.min(Math.round(wish.get(id) ?? 0), rows));
      out.set(id, { column: c, row });
      free = row + 1;
    }
    rows = Math.max(rows, free);
  }
  const first = by.size ? Math.min(...by.keys()) : 0,
    last = by.size ? Math.max(...by.keys()) : 0,
    across = Math.max(last - first + 1, wide);
  alone.forEach((id, i) => out.set(id, { column: first + (i % across), row: rows + Math.floor(i / across) }));
  return out;
}

/** Lays out the plan from left to right: a task is right of the tasks it waits for. Each phase has a frame. */
export function graphOf(model: PlanModel): PlanPicture {
  const shown = drawn(model),
    columns = columnsOf(model, shown),
    near = new Map<string, string[]>(),
    links: Link[] = [],
    parts: Link[] = [];
  const meet = (a: string, b: string) => {
    const had = near.get(a);
    if (had) had.push(b);
    else near.set(a, [b]);
  };
  for (const id of shown)
    for (const d of new Set(model.items.get(id)?.task.dependencies))
      if (shown.has(d)) {
        links.push({ from: d, to: id });
        meet(d, id);
        meet(id, d);
      }
  for (const id of shown) {
    const parent = model.items.get(id)?.parent ?? "";
    if (shown.has(parent)) {
      parts.push({ from: id, to: parent });
      meet(id, parent);
      meet(parent, id);
    } else if (!near.has(id) && (columns.get(id) ?? 0) > 0) near.set(id, []); // what it hangs below waits for something
  }
  const { framed, bands } = bandsOf(model, shown),
    places = new Map<string, Place>(),
    frames: PhaseFrame[] = [];
  const wide = Math.max(4, Math.min(12, Math.ceil(Math.sqrt(shown.size / 3))));
  let y = 0,
    width = 0;
  for (const band of bands) {
    const rows = rowsIn(band, columns, near, wide),
      top = y + (framed ? title : 0);
    let left = Infinity,
      right = 0,
      bottom = top;
    for (const [id, at] of rows) {
      const place = { x: pad + at.column * stepX, y: top + at.row * stepY };
      places.set(id, place);
      left = Math.min(left, place.x);
      right = Math.max(right, place.x + boxW);
      bottom = Math.max(bottom, place.y + boxH);
    }
    if (framed)
      frames.push({
        key: band.key,
        name: band.name,
        x: left - pad,
        y,
        width: right - left + 2 * pad,
        height: bottom - y + pad,
      });
    y = bottom + pad + gap;
    width = Math.max(width, right + pad);
  }
  return {
    places,
    frames,
    links,
    parts,
    shown: [...places.keys()].map((id) => model.items.get(id) as PlanItem),
    width,
    height: Math.max(0, y - gap),
  };
}
