import i18next from "i18next";

const make = <T>(build: (lng: string) => T) => {
  const kept = new Map<string, T>();
  return () => {
    const lng = i18next.language;
    let f = kept.get(lng);
    if (!f) kept.set(lng, (f = build(lng)));
    return f;
  };
};

const clock = make((l) => new Intl.DateTimeFormat(l, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }));
const dayName = make((l) => new Intl.DateTimeFormat(l, { weekday: "long", day: "numeric", month: "long" }));
const dayShort = make((l) => new Intl.DateTimeFormat(l, { day: "numeric", month: "short" }));
const moment = make((l) => new Intl.DateTimeFormat(l, { dateStyle: "medium", timeStyle: "short", hourCycle: "h23" }));
const dayOfYear = make(
  (l) => new Intl.DateTimeFormat(l, { weekday: "long", day: "numeric", month: "long", year: "numeric" }),
);
const relative = make((l) => new Intl.RelativeTimeFormat(l, { numeric: "auto" }));
const plain = make((l) => new Intl.NumberFormat(l));
const listed = make((l) => new Intl.ListFormat(l, { type: "conjunction" }));
const either = make((l) => new Intl.ListFormat(l, { type: "disjunction" }));

export const formatTime = (at: string | number | Date) => clock().format(new Date(at));
export const formatDay = (at: string | number | Date) => dayName().format(new Date(at));
export const formatShortDay = (at: string | number | Date) => dayShort().format(new Date(at));
/** Day and time, in full. */
export const formatDateTime = (at: string | number | Date) => moment().format(new Date(at));
const dollars = make(
  (l) => new Intl.NumberFormat(l, { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol" }),
);
const cents = make(
  (l) =>
    new Intl.NumberFormat(l, {
      style: "currency",
      currency: "USD",
      currencyDisplay: "narrowSymbol",
      maximumSignificantDigits: 2,
    }),
);
/** US dollars; of what is less than a cent, what there is of it. */
export const formatCost = (usd: number) => (usd > 0 && usd < 0.01 ? cents() : dollars()).format(usd);
const price = make(
  (l) =>
    new Intl.NumberFormat(l, {
      style: "currency",
      currency: "USD",
      currencyDisplay: "narrowSymbol",
      minimumFractionDigits: 0,
      maximumFractionDigits: 6,
    }),
);
/** A price as it was written down. */
export const formatPrice = (usd: number) => price().format(usd);
const short = make((l) => new Intl.NumberFormat(l, { notation: "compact", maximumFractionDigits: 1 }));
/** 12k where there is no room for more. */
export const formatShort = (n: number) => short().format(n);
export const formatNumber = (n: number) => plain().format(n);
export const formatList = (items: string[]) => listed().format(items);
export const formatChoice = (items: string[]) => either().format(items);

/** Whole days from `at` to now, by the calendar: 0 is today. */
export function daysAgo(at: string | number | Date, now = new Date()): number {
  const day = (d: Date) => new Date(d.getFullYear(), d.getMonth(), d.getDate()).getTime();
  return Math.round((day(now) - day(new Date(at))) / 86_400_000);
}

/** A day as a heading: today, yesterday, or its name; with the year where it is another one. */
export function formatDayHeading(at: string | number | Date, now = new Date()): string {
  const ago = daysAgo(at, now),
    d = new Date(at);
  if (ago === 0 || ago === 1) {
    const w = relative().format(-ago, "day");
    return w.charAt(0).toLocaleUpperCase() + w.slice(1);
  }
  return (d.getFullYear() === now.getFullYear() ? dayName() : dayOfYear()).format(d);
}

/** Day and time, as short as they are clear; `inside` a sentence. */
export function formatWhen(at: string | number | Date, inside = false): string {
  if (daysAgo(at) > 0) return `${formatShortDay(at)} ${formatTime(at)}`;
  const day = formatDayHeading(at);
  return `${inside ? day.charAt(0).toLocaleLowerCase() + day.slice(1) : day} ${formatTime(at)}`;
}

const units = ["byte", "kilobyte", "megabyte", "gigabyte"] as const;
/** A size as people read it: 12 kB. */
export function formatBytes(n: number): string {
  const step = Math.min(units.length - 1, n < 1000 ? 0 : Math.floor(Math.log10(n) / 3));
  return new Intl.NumberFormat(i18next.language, {
    style: "unit",
    unit: units[step],
    unitDisplay: step ? "short" : "narrow",
    maximumFractionDigits: n < 1000 ** step * 10 && step ? 1 : 0,
  }).format(n / 1000 ** step);
}
