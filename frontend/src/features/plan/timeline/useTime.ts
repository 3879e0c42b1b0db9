import { useEffect, useState } from "react";

/** The time now: every ten seconds while work goes on, else every minute. */
export function useTime(working: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), working ? 10_000 : 60_000);
    return () => clearInterval(timer);
  }, [working]);
  return now;
}
