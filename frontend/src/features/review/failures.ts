import type { TFunction } from "i18next";
import { errorMeaning } from "@/i18n/problem";
import type { Apply } from "@/topology";
import type { Failure } from "./applies";

type ErrorLike = { code: string; message: string; details?: Record<string, unknown> };

type Partly = "unknown" | "away" | "mismatch" | "inactive" | "filesLeft" | "jobsLeft" | "interrupted";
/** Whether the gateway may have the config, though something went wrong. */
const isPartly = (why: Failure): why is Partly =>
  why === "unknown" ||
  why === "away" ||
  why === "mismatch" ||
  why === "inactive" ||
  why === "filesLeft" ||
  why === "jobsLeft" ||
  why === "interrupted";

export const failureTitle = (t: TFunction, why: Failure, kind: Apply["kind"] | "preview") =>
  kind === "preview" || !isPartly(why)
    ? t(`apply.couldNot.${kind}`)
    : why === "interrupted" && kind === "apply"
      ? t("apply.fail.interrupted.applyTitle")
      : t(`apply.fail.${why}.title`);

/** Title and meaning in one text, as a toast says them. */
export function failureNotice(t: TFunction, why: Failure, a: Apply): string {
  const title = failureTitle(t, why, a.kind);
  return t("common.sentences", {
    a: /[.!?。！？]$/.test(title) ? title : t("common.sentence", { text: title }),
    b: failureText(t, why, a.error, a),
  });
}

/** What it means; the hub's own words where ours would say less. */
export function failureText(
  t: TFunction,
  why: Failure,
  e: ErrorLike | undefined,
  a?: Pick<Apply, "deleted" | "kind"> | "preview",
): string {
  if (a === "preview") {
    if (why === "link" || why === "token") return t(`apply.fail.${why}.preview`);
    if (why === "rejected" || why === "limited" || why === "unknown") return t("apply.fail.rejected.preview");
  }
  if (typeof a === "object" && a.deleted?.length && !isPartly(why)) return t("apply.fail.partly.text");
  if (
    why === "other" ||
    why === "deletes" ||
    why === "problems" ||
    why === "undecided" ||
    why === "running" ||
    why === "changed"
  )
    return e ? errorMeaning(t, e) : "";
  return why === "interrupted"
    ? interruptedText(t, e, typeof a === "object" && a.kind === "apply")
    : t(`apply.fail.${why}.text`);
}

function interruptedText(t: TFunction, e: ErrorLike | undefined, apply: boolean): string {
  if (apply) return t(`apply.fail.interrupted.${e?.details?.sent === false ? "applyUnsent" : "apply"}`);
  if (e?.details?.sent === false) return t("apply.fail.interrupted.unsent");
  const left = e?.details?.left;
  if (typeof left !== "number") return t("apply.fail.interrupted.text");
  return t("common.sentences", {
    a: t("apply.fail.interrupted.text"),
    b: t("apply.fail.interrupted.left", { count: left }),
  });
}
