import type { TFunction } from "i18next";
import { useCallback, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { formatChoice } from "@/i18n/format";
import { problemMessage, problemRemedy } from "@/i18n/problem";
import type { Problem, Setting } from "@/topology";
import { JsonEditor, type JsonEditorProps } from "@/ui/text/JsonEditor";
import { rawOffers, write, type Offer } from "./rawComplete";
import { rawLint, type Mark } from "./rawLint";

type Props = Omit<JsonEditorProps, "offers" | "lint" | "phrases"> & {
  settings: readonly Setting[];
  truncated?: boolean;
  whole?: boolean;
  problems: readonly Problem[];
  /** Gets what nobody else says of the text: neither the hub nor the field. */
  onMarks: (marks: MarkLine[]) => void;
};

/** What is wrong in the text, with its place, in words. */
export type MarkLine = { id: string; severity: Mark["severity"]; path?: string; own: boolean; text: string };

/** Kinds in words, as the end of a sentence. */
const kindsText = (t: TFunction, kinds: readonly string[]) =>
  formatChoice([...new Set(kinds.map((k) => t(`agentSettings.kind.${k as "any"}`, { defaultValue: k })))]);

/** What is wrong, without its place. */
function markText(t: TFunction, m: Mark): string {
  switch (m.what) {
    case "problem":
      return t("common.sentences", { a: problemMessage(t, m.problem), b: problemRemedy(t, m.problem) }).trim();
    case "json":
      return t("agentSettings.fault.jsonAt", m);
    case "own":
      return t("agentSettings.fault.own", { path: m.path });
    case "unknown":
      return t("agentSettings.mark.unknown");
    case "choice":
      return t("agentSettings.mark.choice", { choices: formatChoice([...m.choices]) });
    case "kind":
      return t("agentSettings.mark.kind", { kinds: kindsText(t, m.kinds) });
    case "object":
    case "integer":
      return t(`agentSettings.fault.${m.what}`);
    default:
      return t(`agentSettings.fault.${m.what}`, { bound: m.bound });
  }
}

const elsewhere = new Set<Mark["what"]>(["problem", "json", "object"]);
const lines = (t: TFunction, marks: readonly Mark[]): MarkLine[] =>
  marks
    .filter((m) => !elsewhere.has(m.what))
    .map((m) => ({
      id: `${m.from}:${m.what}`,
      severity: m.severity,
      path: m.path,
      own: m.what === "own",
      text: t("agentSettings.mark.at", { line: m.line, path: m.path, text: markText(t, m) }),
    }));

/** The settings' JSON with completion and marks from the gateway's schema. */
export function RawEditor({ settings, truncated, whole, problems, onMarks, ...rest }: Props) {
  const { t } = useTranslation();
  const lint = useCallback(
    (text: string) => {
      const marks = rawLint(text, { settings, truncated, whole, problems });
      onMarks(lines(t, marks));
      return marks.map((m) => ({ from: m.from, to: m.to, severity: m.severity, message: markText(t, m) }));
    },
    [t, settings, truncated, whole, problems, onMarks],
  );
  const phrases = useMemo(
    () => ({
      Completions: t("agentSettings.offers"),
      "Control character": t("agentSettings.editor.control"),
      "Selection deleted": t("agentSettings.editor.deleted"),
    }),
    [t],
  );
  const said = (o: Offer, order: number) => ({
    text: o.text,
    name: o.name,
    order: o.setting ? undefined : order,
    detail: o.setting
      ? [o.setting.label, kindsText(t, o.setting.choices?.length ? ["choice"] : o.setting.kinds)]
          .filter(Boolean)
          .join(" · ")
      : o.isDefault
        ? t("agentSettings.isDefault")
        : undefined,
    info: o.setting?.help,
    write: (text: string, pos: number) => write(text, pos, o),
  });
  return (
    <JsonEditor
      {...rest}
      phrases={phrases}
      lint={lint}
      offers={(text, pos) => {
        const found = rawOffers(text, pos, settings, whole);
        return found && { from: found.from, offers: found.offers.map(said) };
      }}
    />
  );
}
