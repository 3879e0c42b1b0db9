import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { chatWords } from "@/i18n/chat";
import { ChatWordsProvider, Markdown } from "@/ui/chat";
import { seen } from "@/ui/text/seen";

/** A workspace file as Markdown. */
export function FilePreview({ text }: { text: string }) {
  const { t } = useTranslation();
  const words = useMemo(() => chatWords(t), [t]);
  if (!text.trim()) return <p className="cap">{t("workspace.empty")}</p>;
  return (
    <ChatWordsProvider value={words}>
      <Markdown text={seen(text)} />
    </ChatWordsProvider>
  );
}
