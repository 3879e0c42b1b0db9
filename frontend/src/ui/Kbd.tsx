import { keyLabel } from "./keys";

/** A key or a chord, as the platform writes it. Those of shortcuts come from `keysOf`. */
export function Kbd({ keys }: { keys: string }) {
  return <kbd translate="no">{keyLabel(keys)}</kbd>;
}
