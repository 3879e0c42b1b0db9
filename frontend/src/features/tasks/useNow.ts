import { useSyncExternalStore } from "react";

const clock = (every: number) => {
  let now = Date.now(),
    timer: ReturnType<typeof setInterval> | undefined;
  const heard = new Set<() => void>();
  return {
    read: () => now,
    subscribe: (on: () => void) => {
      if (!heard.size) {
        now = Date.now();
        timer = setInterval(() => {
          now = Date.now();
          for (const h of heard) h();
        }, every);
      }
      heard.add(on);
      return () => {
        heard.delete(on);
        if (!heard.size) clearInterval(timer);
      };
    },
  };
};
const second = clock(1_000),
  halfMinute = clock(30_000);

/** The time, kept current: to the second where something runs. */
export function useNow(fine: boolean): number {
  const c = fine ? second : halfMinute;
  return useSyncExternalStore(c.subscribe, c.read);
}
