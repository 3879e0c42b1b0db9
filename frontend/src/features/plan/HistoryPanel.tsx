import { X } from "lucide-react";
import { useEffect, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { formatWhen } from "@/i18n/format";
import { errorMeaning } from "@/i18n/problem";
import { closeHistory, leaveVersion, readVersions, showVersion, usePlanHistory } from "@/stores/planHistory";
import type { PlanWhole } from "@/topology";
import { Button, ErrorState, IconButton, ListRow, Skeleton } from "@/ui";
import { causeIcons, sizeOf, titleOf, whoOf } from "./history";

/** The versions of a plan, newest first: who made each and how much it changed. */
export function HistoryPanel({
  whole,
  onShown,
}: {
  whole: PlanWhole;
  /** A version was chosen. */ onShown?: () => void;
}) {
  const { t } = useTranslation();
  const { versions, error, number } = usePlanHistory();
  useEffect(() => {
    void readVersions(whole.id);
  }, [whole.id, whole.head]);
  const show = (n: number) => {
    if (n === whole.head) leaveVersion();
    else void showVersion(n);
    onShown?.();
  };
  return (
    <>
      <div className="head">
        <h2 className="cut grow">{t("plan.history.title")}</h2>
        <IconButton icon={X} label={t("common.close")} onClick={closeHistory} />
      </div>
      <div className="rows scroll" role="group" aria-label={t("plan.history.title")} onKeyDown={walk}>
        {error && (
          <ErrorState
            title={t("plan.history.unread")}
            actions={
              <Button size="sm" onClick={() => void readVersions(whole.id)}>
                {t("common.retry")}
              </Button>
            }
          >
            {errorMeaning(t, error)}
          </ErrorState>
        )}
        {!versions && !error && <Skeleton lines={6} label={t("common.loading")} />}
        {versions?.map((v) => {
          const Icon = causeIcons[v.cause],
            now = v.number === whole.head;
          return (
            <ListRow
              key={v.number}
              lead={<Icon size={16} className="t2 flex-none" aria-hidden />}
              title={<span className="cut block">{titleOf(t, v)}</span>}
              titleText={titleOf(t, v)}
              current={number ? v.number === number : now}
              onClick={() => show(v.number)}
              caption={
                <span className="cut block">
                  {whoOf(t, v, whole.proposals)} · <time dateTime={v.at}>{formatWhen(v.at)}</time>
                </span>
              }
              end={
                <span className="col items-end flex-none gap-0.5">
                  {now && <span className="badge">{t("plan.history.now")}</span>}
                  <span className="cap num">{sizeOf(v)}</span>
                </span>
              }
            />
          );
        })}
      </div>
    </>
  );
}

/** Up and down walk the versions, and show each. */
function walk(e: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[e.key],
    rows = [...e.currentTarget.querySelectorAll<HTMLElement>("button.lrow")],
    at = rows.indexOf(document.activeElement as HTMLElement),
    next = step && at >= 0 ? rows[at + step] : undefined;
  if (!next) return;
  e.preventDefault();
  next.focus();
  next.click();
}
