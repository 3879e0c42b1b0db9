const minute = 60_000,
  hour = 60 * minute,
  day = 24 * hour;

/** How much of the screen a minute takes, by what one reads. */
export type Scale = "fit" | "day" | "hour" | "minute";
export const scales: readonly Scale[] = ["fit", "day", "hour", "minute"];
const pixels: Record<Exclude<Scale, "fit">, number> = { day: 240 / 1440, hour: 120 / 60, minute: 14 };

/** Pixels a minute: `fit` shows all of it in this width. */
export const perMinute = (scale: Scale, from: number, to: number, width: number) =>
  scale === "fit" ? Math.max(0.02, Math.min(40, (width - 48) / Math.max(1, (to - from) / minute))) : pixels[scale];

const steps = [
  minute,
  5 * minute,
  10 * minute,
  30 * minute,
  hour,
  3 * hour,
  6 * hour,
  12 * hour,
  day,
  7 * day,
  28 * day,
];

export type Tick = { at: number; day: boolean };

/** The marks of the axis between two times, at the hours and days of the clock, never closer than `least` pixels. */
export function ticksOf(from: number, to: number, perMin: number, least = 72): { ticks: Tick[]; step: number } {
  const step = steps.find((s) => (s / minute) * perMin >= least) ?? 28 * day,
    ticks: Tick[] = [];
  const start = new Date(from);
  start.setHours(0, 0, 0, 0);
  const midnight = (t: number) => {
    const d = new Date(t);
    return d.getHours() === 0 && d.getMinutes() === 0;
  };
  if (step >= day) {
    for (const d = new Date(start); d.getTime() <= to; d.setDate(d.getDate() + Math.round(step / day)))
      if (d.getTime() >= from) ticks.push({ at: d.getTime(), day: true });
    return { ticks, step };
  }
  const first = start.getTime() + Math.max(0, Math.floor((from - start.getTime()) / step)) * step;
  for (let t = first; t <= to && ticks.length < 400; t += step) if (t >= from) ticks.push({ at: t, day: midnight(t) });
  return { ticks, step };
}
