import type { TFunction } from "i18next";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { chatWords } from "@/i18n/chat";
import { Segmented } from "@/ui";
import { ChatWordsProvider, Markdown } from "@/ui/chat";
import { JsonText } from "./JsonText";
import { howFailed } from "./words";

/** The text of a result, or its JSON if it has none. */
export function resultText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const text = (value as { text?: unknown }).text;
  return typeof text === "string" && text.trim() ? text : JSON.stringify(value, null, 2);
}

/** What a command ended with. */
export type Ran = { exitCode: number; stdout?: string; stderr?: string; timedOut?: boolean };

export function commandOf(value: unknown): Ran | undefined {
  const v = value as (Partial<Ran> & { command?: unknown }) | undefined;
  return typeof v?.command === "string" && typeof v.exitCode === "number" ? (v as Ran) : undefined;
}

/** Why a command counts as failed for the person, although its task has completed. */
export const commandFailure = (t: TFunction, value: unknown): string | undefined => howFailed(t, commandOf(value));

/** What a command printed, line by line. */
function Ran({ of: r }: { of: Ran }) {
  const { t } = useTranslation();
  const parts = [
    { name: "stdout" as const, text: r.stdout },
    { name: "stderr" as const, text: r.stderr },
  ].filter((p) => p.text);
  return (
    <div className="task-result col gap-3">
      <p>{r.timedOut ? t("tasks.timedOut") : t("tasks.exitCode", { n: r.exitCode })}</p>
      {!parts.length && <p className="cap">{t("tasks.nothingSaid")}</p>}
      {parts.map((p) => (
        <figure key={p.name} className="col gap-1">
          <figcaption className="cap">{t(`tasks.${p.name}`)}</figcaption>
          <pre className="code task-printed" translate="no" tabIndex={0} aria-label={t(`tasks.${p.name}`)}>
            {p.text?.replace(/\n$/, "")}
          </pre>
        </figure>
      ))}
    </div>
  );
}

/** What a task brought: its text to be read, or all of it as JSON. */
export function Result({ value }: { value: unknown }) {
  const { t } = useTranslation();
  const [json, setJson] = useState(false);
  const text = (value as { text?: unknown } | undefined)?.text;
  const words = useMemo(() => chatWords(t), [t]);
  const ran = commandOf(value);
  const readable = typeof text === "string" && text.trim() !== "";
  return (
    <div className="col">
      {readable && (
        <div className="row justify-end px-3 pt-2">
          <Segmented
            size="sm"
            label={t("tasks.as")}
            value={json ? "json" : "text"}
            onValue={(v) => setJson(v === "json")}
            options={[
              { value: "text", label: t("tasks.text") },
              { value: "json", label: "JSON" },
            ]}
          />
        </div>
      )}
      {ran && !json ? (
        <Ran of={ran} />
      ) : readable && !json ? (
        <div className="task-result">
          <ChatWordsProvider value={words}>
            <Markdown text={text} />
          </ChatWordsProvider>
        </div>
      ) : (
        <JsonText value={value ?? {}} />
      )}
    </div>
  );
}
