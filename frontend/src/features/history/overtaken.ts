import type { Apply } from "@/topology";

type Since = {
  /** Every apply and rollback that the window knows. */
  applies: readonly Apply[];
  /** When the team on the screen was last saved. */
  savedAt: string;
  /** The hashes that the gateway's config had since the rollback started, oldest first. */
  hashes: readonly string[];
};

/**
 * Whether something changed after a rollback, so that it isn't the latest news any more: an edit, an apply, or
 * another config on the gateway. The first change of the hash is the rollback's.
 */
export function overtaken(a: Apply, { applies, savedAt, hashes }: Since): boolean {
  if (a.state !== "done" || !a.endedAt) return false;
  const end = Date.parse(a.endedAt);
  return (
    hashes.length > 2 ||
    Date.parse(savedAt) > end ||
    applies.some((x) => x.id !== a.id && x.gateway === a.gateway && Date.parse(x.startedAt) > end)
  );
}
