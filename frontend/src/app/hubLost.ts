import { useEffect, useState } from "react";
import { useHub } from "@/stores/hub";

const patience = 1_000;

/** Whether the hub is gone, once it has been gone for a moment. */
export function useHubLost(): boolean {
  const lostAt = useHub((s) => s.lostAt);
  const [late, setLate] = useState<number>();
  useEffect(() => {
    if (lostAt === undefined) return;
    const timer = setTimeout(() => setLate(lostAt), Math.max(0, lostAt + patience - Date.now()));
    return () => clearTimeout(timer);
  }, [lostAt]);
  return lostAt !== undefined && late === lostAt;
}
