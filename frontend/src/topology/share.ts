type Parts = Record<string, unknown>;
const isParts = (x: unknown): x is Parts => typeof x === "object" && x !== null && !Array.isArray(x);
const idOf = (x: unknown) => (isParts(x) && typeof x.id === "string" ? x.id : undefined);

/** What `next` says, made of the parts of `had` wherever both say the same: what did not change stays the same object. */
export function share<T>(had: T, next: T): T {
  if (Object.is(had, next)) return had;
  if (Array.isArray(had) && Array.isArray(next)) return shareList(had, next) as T;
  if (!isParts(had) || !isParts(next)) return next;
  const keys = Object.keys(next),
    made: Parts = {};
  let same = keys.length === Object.keys(had).length;
  for (const k of keys) {
    made[k] = share(had[k], next[k]);
    if (made[k] !== had[k] || !(k in had)) same = false;
  }
  return same ? had : (made as T);
}

/** Things with an id are compared by it, wherever they stand. */
function shareList(had: readonly unknown[], next: readonly unknown[]): readonly unknown[] {
  let byId: Map<string, unknown> | undefined,
    same = had.length === next.length;
  const made = next.map((x, i) => {
    const id = idOf(x);
    let old = had[i];
    if (id !== undefined && idOf(old) !== id) old = (byId ??= new Map(had.map((h) => [idOf(h) ?? "", h]))).get(id);
    const one = share(old, x);
    if (one !== had[i]) same = false;
    return one;
  });
  return same ? had : made;
}
