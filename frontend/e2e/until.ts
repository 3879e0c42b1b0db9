/** Asks again until it is so, and fails with what was seen last. The only way these tests wait. */
export async function until<T>(
  what: string,
  ask: () => T | Promise<T>,
  ok: (v: T) => boolean = Boolean,
  ms = 30_000,
): Promise<T> {
  const end = Date.now() + ms;
  let last: unknown;
  for (;;) {
    try {
      const v = await ask();
      if (ok(v)) return v;
      last = v;
    } catch (e) {
      last = e;
    }
    if (Date.now() > end)
      throw new Error(
        `still waiting for ${what} after ${ms} ms; last seen: ${last instanceof Error ? last.message : JSON.stringify(last)?.slice(0, 1200)}`,
      );
    await new Promise((r) => setTimeout(r, 40));
  }
}
