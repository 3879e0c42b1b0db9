import { GitCompare, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatTime } from "@/i18n/format";
import { cx, IconButton } from "@/ui";
import type { Pair } from "./usePair";

type Props<T extends { id: string; at: string }> = {
  of: T;
  chosen: Pair<T>;
  current: boolean;
  /** In front of the texts. */ lead?: ReactNode;
  icon: LucideIcon;
  iconClass?: string;
  title: string;
  caption: string;
  strong?: boolean;
  inner?: boolean;
  fold?: ReactNode;
  badge?: ReactNode;
  onShow: () => void;
};

/** A line of the history, which can be looked at and compared with another one. */
export function HistoryRow<T extends { id: string; at: string }>({
  of,
  chosen,
  current,
  lead,
  icon: Icon,
  iconClass = "t3",
  title,
  caption,
  strong,
  inner,
  fold,
  badge,
  onShow,
}: Props<T>) {
  const { t } = useTranslation();
  const isA = chosen.pinned && chosen.a === of.id;
  return (
    <div
      role="listitem"
      data-version={of.id}
      className={cx("lrow version-row group relative", inner && "ml-5")}
      aria-current={current || undefined}
      style={isA ? { background: "var(--hover)" } : undefined}
    >
      {lead}
      <button
        type="button"
        data-row
        className="col grow border-0 bg-transparent p-0 text-left after:absolute after:inset-0 after:rounded-[var(--r-2)] focus-visible:outline-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-[var(--focus)]"
        title={`${title}\n${caption}`}
        onClick={onShow}
      >
        <span className="line-clamp-3">{strong ? <b>{title}</b> : title}</span>
        <span className="cap line-clamp-3">
          <Icon size={12} className={cx("mr-1 inline align-[-1px]", iconClass)} aria-hidden />
          {caption}
        </span>
      </button>
      {!isA && !current && (
        <IconButton
          size="sm"
          icon={GitCompare}
          label={t("history.compareFrom")}
          className="relative z-1 hidden group-focus-within:inline-grid group-hover:inline-grid phone:inline-grid"
          onClick={() => chosen.compareFrom(of.id)}
        />
      )}
      {fold}
      {badge}
      <time className="cap" dateTime={of.at}>
        {formatTime(of.at)}
      </time>
      {(isA || (current && chosen.pinned)) && (
        <span className="badge" translate="no">
          {isA ? "A" : "B"}
        </span>
      )}
    </div>
  );
}
