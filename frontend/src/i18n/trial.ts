import type { TFunction } from "i18next";
import { formatNumber } from "./format";

type Failure = { code: string; message: string; details?: Record<string, unknown> };
export type Verdict = {
  good: boolean;
  title: string;
  text: string;
  /** The hub's own words, for who wants to know more. */ raw?: string;
};

const seconds = (ms: number) => formatNumber(Math.max(0.1, Math.round(ms / 100) / 10));

/** What is wrong with a model provider, and what to do about it. */
export function providerTrouble(t: TFunction, e: Failure): Verdict {
  const words = [e.details?.cause, e.details?.reason, "other"].filter((w) => typeof w === "string");
  const said = (part: "title" | "do") =>
    words.map((w) => t(`models.trouble.${w}.${part}`, { defaultValue: "" })).find(Boolean) ?? "";
  return {
    good: false,
    title: said("title"),
    text: said("do"),
    raw: e.message,
  };
}

/** How asking a provider one question went. */
export function trialVerdict(
  t: TFunction,
  r: { model?: string; models: number; answer?: string; tookMs: number; error?: Failure },
): Verdict {
  if (r.error) return providerTrouble(t, r.error);
  return {
    good: true,
    title: t("models.trial.answered", { seconds: seconds(r.tookMs) }),
    text: t("models.trial.said", { model: r.model ?? "", answer: r.answer ?? "", count: r.models }),
  };
}
