import { ArrowLeftRight, ArrowRight, X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { formatWhen } from "@/i18n/format";
import { IconButton } from "@/ui";
import type { Pair } from "./usePair";

type Props<T extends { id: string; at: string }> = {
  chosen: Pair<T>;
  /** What one of them is. */ title: (x: T) => string;
  /** What A is while the person has chosen none. */ before: string;
  unpin: string;
};

/** Which two stand beside each other. */
export function CompareHead<T extends { id: string; at: string }>({ chosen, title, before, unpin }: Props<T>) {
  const { t } = useTranslation();
  const { a, aItem, b, pinned } = chosen;
  if (!b) return null;
  return (
    <>
      {a && (
        <span className="chip" title={aItem && title(aItem)}>
          <b translate="no">A</b>
          {pinned && aItem ? formatWhen(aItem.at) : before}
        </span>
      )}
      {a && <ArrowRight size={12} className="t3 flex-none" aria-hidden />}
      <span
        className="chip"
        aria-current="true"
        title={title(b)}
        style={{ borderColor: "var(--accent-text)", color: "var(--accent-text)", background: "var(--accent-soft)" }}
      >
        <b translate="no">B</b>
        {formatWhen(b.at)}
      </span>
      {pinned && <IconButton icon={ArrowLeftRight} label={t("history.swap")} onClick={chosen.swap} />}
      {pinned && <IconButton icon={X} label={unpin} onClick={chosen.unpin} />}
    </>
  );
}
