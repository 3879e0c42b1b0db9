import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, copyText } from "@/ui";

/** Puts a text on the clipboard and says for a moment that it is there. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { t } = useTranslation();
  const [state, setState] = useState<"copied" | "failed">();
  useEffect(() => {
    if (!state) return;
    const timer = setTimeout(() => setState(undefined), 2500);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () => {
    copyText(text).then(
      () => setState("copied"),
      () => setState("failed"),
    );
  };
  return (
    <Button size="sm" icon={state === "copied" ? Check : Copy} onClick={copy}>
      <span aria-live="polite">{state ? t(`settings.${state}`) : label}</span>
    </Button>
  );
}

/** A command to be run elsewhere, with a button that copies it. */
export function CopyCommand({ text }: { text: string }) {
  const { t } = useTranslation();
  return (
    <div className="row rounded-[var(--r-2)] border border-line-2 bg-surface py-1 pr-1 pl-2">
      <code className="grow min-w-0 wrap-anywhere select-text" translate="no">
        {text}
      </code>
      <CopyButton text={text} label={t("settings.copy")} />
    </div>
  );
}
