import type { TFunction } from "i18next";
import { errorMeaning } from "@/i18n/problem";
import type { Apply } from "@/topology";
import type { Failure } from "./applies";

type ErrorLike = { code: string; message: string; details?: Record<string, unknown> };

export const failureTitle = (t: TFunction, why: Failure, kind: Apply["kind"] | "preview") =>
  why === "unknown" || why === "away" || why === "mismatch"
    ? t(`apply.fail.${why}.title`)
    : t(`apply.couldNot.${kind}`);

/** What it means; the hub's own words where ours would say less. */
export function failureText(
  t: TFunction,
  why: Failure,
  e: ErrorLike | undefined,
  a?: Pick<Apply, "deleted"> | "preview",
): string {
  if (a === "preview" && (why === "link" || why === "token")) return t(`apply.fail.${why}.preview`);
  if (typeof a === "object" && a.deleted?.length && why !== "unknown" && why !== "away" && why !== "mismatch")
    return t("apply.fail.partly.text");
  if (
    why === "other" ||
    why === "deletes" ||
    why === "problems" ||
    why === "undecided" ||
    why === "running" ||
    why === "changed"
  )
    return e ? errorMeaning(t, e) : "";
  return t(`apply.fail.${why}.text`);
}
