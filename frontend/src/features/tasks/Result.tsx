import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { chatWords } from "@/i18n/chat";
import { Segmented } from "@/ui";
import { ChatWordsProvider, Markdown } from "@/ui/chat";
import { JsonText } from "./JsonText";

/** The words of a result that has some. */
export function resultText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  const text = (value as { text?: unknown }).text;
  return typeof text === "string" && text.trim() ? text : JSON.stringify(value, null, 2);
}

/** What a task brought: its text to be read, or all of it as JSON. */
export function Result({ value }: { value: unknown }) {
  const { t } = useTranslation();
  const [json, setJson] = useState(false);
  const text = (value as { text?: unknown } | undefined)?.text;
  const words = useMemo(() => chatWords(t), [t]);
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
      {readable && !json ? (
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
