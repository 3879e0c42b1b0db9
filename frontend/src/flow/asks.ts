import type { TFunction } from "i18next";
import type { KeyIn } from "../i18n/textKeys";
import { formatList } from "@/i18n/format";
import { errorMeaning, fieldName } from "@/i18n/problem";
import { sayApart, type Said } from "@/i18n/said";
import { commandLine, type TrustAsk, type TrustStanding } from "@/topology";

/** One thing that is asked for: a sentence, and everything else that belongs to it. */
export type AskRow = {
  kind: TrustAsk["kind"];
  said: Said[];
  facts: { name: string; values: string[] }[];
  unset: Said[];
};

const sentence = (t: TFunction, key: KeyIn<"trust.ask">, values: Record<string, readonly string[]>): Said[] =>
  sayApart((place) =>
    t(
      `trust.ask.${key}`,
      Object.fromEntries(Object.entries(values).map(([name, list]) => [name, formatList(list.map(place))])),
    ),
  );

function saidOf(t: TFunction, a: TrustAsk): Said[] {
  const host = [a.origin ?? a.url ?? ""],
    variables = a.variables ?? [],
    tools = a.tools ?? [];
  switch (a.kind) {
    case "runs":
      return sentence(t, "runs", { command: [commandLine(a.command ?? [])] });
    case "reaches":
      return variables.length ? sentence(t, "reachesWith", { variables, host }) : sentence(t, "reaches", { host });
    case "sends":
      return variables.length ? sentence(t, "sendsWith", { variables, host }) : sentence(t, "sends", { host });
    case "lets_in":
      return sentence(t, "lets_in", { variables });
    case "writes":
      return sentence(t, "writes", { folders: a.folders ?? [] });
    case "unasked":
      return tools.length ? sentence(t, "unasked", { tools }) : sentence(t, "unaskedAll", {});
    case "bounds":
      return sentence(t, "bounds", {});
  }
}

const policyOf = ({ policy }: TrustAsk): string[] =>
  policy
    ? [
        ...(policy.default ? [`default: ${policy.default}`] : []),
        ...Object.entries(policy.tools ?? {})
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([tool, is]) => `${tool}: ${is}`),
      ]
    : [];

/** Each thing that an agent asks for, in words, with all that belongs to it: the permission covers nothing that is not said here. */
export const askRows = (t: TFunction, asks: readonly TrustAsk[], unset: readonly string[] = []): AskRow[] =>
  asks.map((a) => {
    const missing = unset.filter((v) => a.variables?.includes(v));
    const facts: [name: KeyIn<"trust.fact">, values: (string | undefined)[] | undefined][] = [
      ["server", [a.server]],
      ["command", a.kind === "runs" ? [] : a.command && [commandLine(a.command)]],
      ["variables", a.kind === "runs" ? a.variables : []],
      ["address", a.url === a.origin ? [] : [a.url]],
      ["fingerprint", [a.fingerprint]],
      ["tools", a.kind === "writes" ? a.tools : []],
      ["policy", policyOf(a)],
      ["allowedPaths", a.security?.allowedPaths],
      ["blockedCommands", a.security?.blockedCommands],
      ["askConfirmationCommands", a.security?.askConfirmationCommands],
      ["allowedAddresses", a.security?.allowedAddresses],
    ];
    return {
      kind: a.kind,
      said: saidOf(t, a),
      facts: facts
        .map(([name, values]) => ({
          name: t(`trust.fact.${name}`),
          values: (values ?? []).filter((v) => v !== undefined),
        }))
        .filter((f) => f.values.length > 0),
      unset: missing.length ? sentence(t, "unset", { variables: missing }) : [],
    };
  });

/** Why something cannot be allowed, and what to do. */
export function refusalOf(t: TFunction, problem: NonNullable<TrustStanding["problem"]>): string {
  const text = (name: string) => {
    const v = problem.details?.[name];
    return typeof v === "string" ? v : "";
  };
  const reason = text("reason") || (text("field").startsWith("extra.") ? "unreadable" : "");
  return (
    (reason &&
      t(`trust.problem.${reason}`, {
        variable: text("variable"),
        field: fieldName(t, text("field")),
        defaultValue: "",
      })) ||
    errorMeaning(t, problem)
  );
}
