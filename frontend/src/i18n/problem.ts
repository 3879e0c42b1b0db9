import type { TFunction } from "i18next";

type ProblemLike = { code: string; message: string; remedy: string; params?: Record<string, string> };

const words = (t: TFunction, p: ProblemLike, part: "short" | "message" | "remedy", fallback: string) => {
  const kind = p.params?.kind;
  return t(`problem.${p.code}.${part}`, { ...p.params, ...(kind ? { kind: t(`kind.${kind}`, { defaultValue: kind }) } : {}), defaultValue: fallback });
};

/** A few words for a node. */
export const problemShort = (t: TFunction, p: ProblemLike) => words(t, p, "short", p.message);
export const problemMessage = (t: TFunction, p: ProblemLike) => words(t, p, "message", p.message);
export const problemRemedy = (t: TFunction, p: ProblemLike) => words(t, p, "remedy", p.remedy);

export const fieldName = (t: TFunction, field: string) => t(`field.${field}`, { defaultValue: field });

type ErrorLike = { code: string; message: string; details?: Record<string, unknown> };

/** What an error of the hub means, in the person's language; the hub's own words where we have none. */
export function errorMeaning(t: TFunction, e: ErrorLike): string {
  const reason = typeof e.details?.reason === "string" ? e.details.reason : "";
  const keys = [...(reason ? [`error.${e.code}_${reason}`] : []), `error.${e.code}`];
  const own = e.code === "VALIDATION_ERROR" || e.code === "CONFLICT" ? undefined : t(keys, { defaultValue: "" });
  return (reason ? t(`error.${e.code}_${reason}`, { defaultValue: "" }) : "") || own || e.message;
}
