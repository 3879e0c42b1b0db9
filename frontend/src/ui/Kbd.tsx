import { keyLabel } from "./keys";

/** A key or key chord, written as the platform writes it: keys="Mod+Z". */
export function Kbd({ keys }: { keys: string }) {
  return <kbd translate="no">{keyLabel(keys)}</kbd>;
}
