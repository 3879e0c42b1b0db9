import type { TFunction } from "i18next";
import { formatNumber } from "@/i18n/format";
import type { ModelCall } from "@/topology";

/** How long something took: 40 ms, 2.1 s. */
export const took = (t: TFunction, ms: number) =>
  ms < 1000
    ? t("calls.ms", { n: formatNumber(Math.round(ms)) })
    : t("calls.s", { n: formatNumber(Math.round(ms / 100) / 10) });

/** How long something has been going on: 3 min, 2 h 5 min. */
export function lasted(t: TFunction, ms: number): string {
  const min = Math.floor(ms / 60_000),
    h = Math.floor(min / 60);
  return h
    ? t("calls.hours", { h: formatNumber(h), min: min % 60 })
    : min
      ? t("calls.minutes", { min })
      : t("calls.s", { n: Math.round(ms / 1000) });
}

/** Tokens sent and received. A provider that reports none leaves both at 0: then they are unknown. */
export const tokens = (t: TFunction, { tokensIn, tokensOut }: { tokensIn: number; tokensOut: number }) =>
  tokensIn || tokensOut
    ? t("calls.inOut", { in: formatNumber(tokensIn), out: formatNumber(tokensOut) })
    : t("calls.tokensUnknown");

/** A call that ended because its answer wasn't wanted any more, which isn't a failure. */
export const stopped = (c: Pick<ModelCall, "error">) => c.error?.details?.reason === "stopped";
