import type { TFunction } from "i18next";
import { causeText } from "./cause";
import { sayApart, type Said } from "./said";

type ProblemLike = { code: string; message: string; remedy: string; params?: Record<string, string> };

const words = (t: TFunction, p: ProblemLike, part: "short" | "message" | "remedy", fallback: string) => {
  const kind = p.params?.kind;
  const field = p.params?.field ? { field: fieldName(t, p.params.field) } : {};
  return t(`${part === "short" ? "problem" : "problemText"}.${p.code}.${part}`, {
    ...p.params,
    ...field,
    ...(kind ? { kind: t(`kind.${kind}`, { defaultValue: kind }) } : {}),
    defaultValue: fallback,
  });
};

/** Parameters whose values others wrote, and that could read as our own words. */
const foreign = ["command", "folder", "variable", "host", "workspace", "key"] as const;

/** What is wrong and what to do, with what others wrote apart. */
export const problemSaid = (t: TFunction, p: ProblemLike): Said[] =>
  sayApart((place) => {
    const params = { ...p.params };
    for (const name of foreign) if (params[name]) params[name] = place(params[name]);
    const apart = { ...p, params };
    return t("common.sentences", { a: problemMessage(t, apart), b: problemRemedy(t, apart) }).trim();
  });

/** A few words for a node. */
export const problemShort = (t: TFunction, p: ProblemLike) => words(t, p, "short", p.message);
export const problemMessage = (t: TFunction, p: ProblemLike) => words(t, p, "message", p.message);
export const problemRemedy = (t: TFunction, p: ProblemLike) =>
  p.params?.allowed ? t("problemText.allowed") : words(t, p, "remedy", p.remedy);

/** A field, or a key beside the fields ("extra.mcpServers"), in a person's words; as it is written where we have none. */
export function fieldName(t: TFunction, field: string): string {
  const path = field.startsWith("extra.") ? field.slice(6) : field,
    dot = path.indexOf(".");
  const known = (name: string) => t(`field.${name}`, { defaultValue: "" });
  const head = dot < 0 ? "" : known(path.slice(0, dot));
  return known(path) || (head && t("field.within", { name: head, rest: path.slice(dot + 1) })) || path;
}

/**
 * Reasons of a model's provider (backend/model/llm). Their codes are about it, and not about this page or what it asked
 * for.
 */
const ofProvider = new Set(
  (
    "bad_key no_key no_model not_running unreachable too_slow failed no_answer web_page redirected bad_request " +
    "refusal filtered"
  ).split(" "),
);

type ErrorLike = { code: string; message: string; details?: Record<string, unknown> };

/** What an error of the hub means, in the person's language; the hub's own words where we have none. */
export function errorMeaning(t: TFunction, e: ErrorLike, nameOf?: (id: string) => string): string {
  const { reason, kind, ...rest } = e.details ?? {};
  const ofReason = typeof reason === "string" && reason ? [`error.${e.code}_${reason}`] : [];
  if (typeof kind === "string" && ofReason[0]) ofReason.unshift(`${ofReason[0]}_${kind}`);
  const keys = [...ofReason, `error.${e.code}`];
  const own = e.code === "VALIDATION_ERROR" || e.code === "CONFLICT" ? undefined : t(keys, { defaultValue: "" });
  const known =
    (typeof reason === "string" && ofProvider.has(reason)) || e.code === "UNAVAILABLE"
      ? whyNot(t, e, nameOf) || e.message
      : "";
  const replace = { ...rest, place: placeOf(t, rest) };
  return (ofReason.length ? t(ofReason, { replace, defaultValue: "" }) : "") || known || own || e.message;
}

/** Where in a file a mistake is, as it begins a message. */
function placeOf(t: TFunction, { file, line }: Record<string, unknown>): string {
  if (typeof file === "string" && file) return typeof line === "number" ? `${file}:${line}: ` : `${file}: `;
  return typeof line === "number" ? t("error.LINE", { line }) : "";
}

/** What the hub knows of why it could not be done; "" where we have no words for it. */
function whyNot(t: TFunction, e: ErrorLike, nameOf?: (id: string) => string): string {
  const texts = Object.entries(e.details ?? {}).filter((d): d is [string, string] => typeof d[1] === "string"),
    { cause, reason, ...params } = Object.fromEntries(texts);
  const code = cause || reason;
  return code ? causeText(t, { code, params }, "", nameOf) : "";
}
