import type { TFunction } from "i18next";
import i18next from "i18next";
import { formatDateTime } from "@/i18n/format";
import type { CronSchedule } from "@/stores/cron";

/** The time zone of this computer. */
export const here = () => Intl.DateTimeFormat().resolvedOptions().timeZone;

export const units = { d: 86_400_000, h: 3_600_000, min: 60_000, s: 1000 } as const;
export type Unit = keyof typeof units;
const unitNames = { d: "day", h: "hour", min: "minute", s: "second" } as const;

/** An interval in its largest whole unit. */
export function inUnit(ms: number): { n: number; unit: Unit } {
  const unit = (Object.keys(units) as Unit[]).find((u) => ms > 0 && ms % units[u] === 0) ?? "s";
  return { n: ms / units[unit], unit };
}

/** When a job runs, in words. */
export function whenText(t: TFunction, s: { kind: string } & Omit<CronSchedule, "kind">): string {
  if (s.kind === "at" && s.at) return t("schedule.at", { when: formatDateTime(s.at) });
  if (s.kind === "every" && s.everyMs) {
    const { n, unit } = inUnit(s.everyMs);
    const time = new Intl.NumberFormat(i18next.language, {
      style: "unit",
      unit: unitNames[unit],
      unitDisplay: "long",
    }).format(n);
    return t("schedule.every", { time });
  }
  if (s.kind === "cron" && s.expr)
    return s.timeZone
      ? t("schedule.cron", { expr: s.expr, zone: s.timeZone })
      : t("schedule.cronHere", { expr: s.expr });
  return t("schedule.other");
}

/** What a person fills in about a schedule. */
export type Filled = { kind: CronSchedule["kind"]; n: string; unit: Unit; at: string; expr: string; zone: string };

/** A time as a field of date and time has it, in the person's time zone. */
function localTime(at: string | undefined): string {
  if (!at) return "";
  const d = new Date(at);
  return new Date(d.getTime() - d.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export function filledOf(s?: { kind: string } & Omit<CronSchedule, "kind">): Filled {
  const { n, unit } = inUnit(s?.everyMs ?? units.h);
  return {
    kind: s?.kind === "at" || s?.kind === "cron" ? s.kind : "every",
    n: String(n),
    unit,
    at: localTime(s?.at),
    expr: s?.expr ?? "",
    zone: s ? (s.timeZone ?? "") : here(),
  };
}

/** Ten years in milliseconds, the longest interval that the hub takes. */
const longest = 3650 * units.d;

/** The schedule that was filled in, or which part of it isn't right. */
export function scheduleOf(f: Filled, now = Date.now()): CronSchedule | { wrong: "interval" | "time" | "expr" } {
  if (f.kind === "every") {
    const everyMs = Math.round(Number(f.n.normalize("NFKC")) * units[f.unit]);
    return everyMs >= 1000 && everyMs <= longest ? { kind: "every", everyMs } : { wrong: "interval" };
  }
  if (f.kind === "at") {
    const at = new Date(f.at);
    return at.getTime() > now ? { kind: "at", at: at.toISOString() } : { wrong: "time" };
  }
  const parts = f.expr.normalize("NFKC").trim().split(/\s+/);
  if (parts.length < 5 || parts.length > 7) return { wrong: "expr" };
  return { kind: "cron", expr: parts.join(" "), timeZone: f.zone.trim() || undefined };
}
