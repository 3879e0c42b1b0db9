/** The most that each limit of a room can be; the hub judges again. */
export const limits = { maxAgentTurns: 1000, turnsPerMinute: 1000, maxTokens: 1_000_000_000_000 } as const;
export type Limit = keyof typeof limits;

/** A limit as it is typed, also with the wide digits of an input method; undefined: it cannot be one. */
export function numberOf(limit: Limit, text: string): number | undefined {
  const plain = text.normalize("NFKC").replace(/[,\s]/g, ""),
    n = Number(plain);
  return /^\d+$/.test(plain) && n >= 1 && n <= limits[limit] ? n : undefined;
}
