/** Tells listeners of changes. `start` runs for the first listener, and what it returns once the last one is gone. */
export function whileHeard(start: () => () => void) {
  const listeners = new Set<() => void>();
  let stop: (() => void) | undefined;
  return {
    tell: () => {
      for (const on of listeners) on();
    },
    subscribe: (on: () => void) => {
      listeners.add(on);
      stop ??= start();
      return () => {
        listeners.delete(on);
        if (listeners.size) return;
        stop?.();
        stop = undefined;
      };
    },
  };
}
