import { FileDiff, MessagesSquare, RotateCcw } from "lucide-react";
import { Suspense, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { causeText } from "@/i18n/cause";
import { formatTime, formatWhen } from "@/i18n/format";
import { fetched } from "@/stores/fetched";
import type { PlanItem } from "@/stores/planTree";
import type { PlanProgress } from "@/topology";
import { Button, IconButton, cx, statusIcon, type Status } from "@/ui";
import { CallsDialog } from "./CallsDialog";
import { outputText } from "./output";
import { short } from "./words";

const ChangesDialog = fetched(() => import("./ChangesDialog").then((m) => m.ChangesDialog));

/** The tries of a task, what each changed, and what the last one says. */
export function Attempts({
  item,
  progress,
  onRetry,
}: {
  item: PlanItem;
  progress: PlanProgress;
  onRetry?: () => void;
}) {
  const { t } = useTranslation();
  const end = useRef<HTMLPreElement>(null),
    follows = useRef(true),
    [open, setOpen] = useState(0),
    [calls, setCalls] = useState(false);
  useEffect(() => {
    const el = end.current;
    if (el && follows.current) el.scrollTop = el.scrollHeight;
  }, [progress.output]);
  const tries = progress.attempts ?? [];
  return (
    <section className="col gap-2" aria-label={t("plan.attempts")}>
      <div className="row gap-2">
        <h3 className="label px-0 grow">{t("plan.attempts")}</h3>
        <IconButton size="sm" icon={MessagesSquare} label={t("plan.calls")} onClick={() => setCalls(true)} />
        {onRetry && (
          <Button size="sm" icon={RotateCcw} onClick={onRetry}>
            {t("plan.run.tryAgain")}
          </Button>
        )}
      </div>
      {progress.error && <p className="s-failed sc m-0">{causeText(t, progress.cause, progress.error)}</p>}
      <ol className="plan-criteria">
        {tries.map((a, i) => {
          const runs = !a.endedAt && item.standing === "running",
            tone: Status = runs ? "running" : a.error ? "failed" : a.endedAt ? "done" : "idle",
            Icon = statusIcon[tone];
          return (
            <li key={i} className="row gap-2">
              <Icon
                size={14}
                className={cx(`s-${tone} sc flex-none`, runs && "spin")}
                aria-label={t(`plan.standing.${runs ? "running" : a.error ? "failed" : a.endedAt ? "done" : "todo"}`)}
              />
              <span className="col grow">
                <span>
                  {t("plan.changes.try", { n: i + 1 })}{" "}
                  <span className="t2">{a.worker ?? (a.endedAt && t("plan.noWorker"))}</span>
                </span>
                <span className="cap num">
                  {formatWhen(a.startedAt)}
                  {a.endedAt && `–${formatTime(a.endedAt)}`}
                </span>
              </span>
              {(a.commit || !a.endedAt) && (
                <Button
                  size="sm"
                  icon={FileDiff}
                  aria-label={t("plan.changes.of", { n: i + 1 })}
                  onClick={() => setOpen(i + 1)}
                >
                  {t("plan.changes.show")}
                </Button>
              )}
            </li>
          );
        })}
      </ol>
      {progress.output && (
        <pre
          ref={end}
          className="plan-output"
          tabIndex={0}
          aria-label={t("plan.output")}
          onScroll={(e) => {
            const el = e.currentTarget;
            follows.current = el.scrollHeight - el.scrollTop - el.clientHeight < 24;
          }}
        >
          {outputText(t, progress)}
        </pre>
      )}
      {calls && <CallsDialog task={item.id} onClose={() => setCalls(false)} />}
      {open > 0 && (
        <Suspense>
          <ChangesDialog
            task={item.id}
            title={short(item.task.title)}
            progress={progress}
            attempt={open}
            onClose={() => setOpen(0)}
          />
        </Suspense>
      )}
    </section>
  );
}
