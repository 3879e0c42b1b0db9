import { useTranslation } from "react-i18next";
import { formatDateTime, formatNumber, formatTime } from "@/i18n/format";
import type { Wanted } from "@/stores/taskDraft";
import type { Output } from "@/stores/taskOutput";
import { showTask } from "@/stores/taskPlace";
import { useTasks } from "@/stores/tasks";
import type { TaskDetail } from "@/topology";
import { Avatar, Count, StatusBadge } from "@/ui";
import { BudgetFact, hasBudget } from "./Budget";
import { useFaces } from "./useFaces";
import { commandFailure } from "./Result";
import { useAsks } from "./useAsks";
import { useNow } from "./useNow";
import { Why } from "./Why";
import { ended, spent, standing, toneOf, withdrawn } from "./words";

/** What is known of a task, and its attempts with how each went. */
export function Facts({ detail, output }: { detail: TaskDetail; output: Output }) {
  const { t } = useTranslation();
  const attempts = detail.attempts ?? [],
    word = standing(detail, useAsks(detail.taskId)),
    over = ended(detail),
    failure = commandFailure(t, detail.result),
    first = attempts.find((a) => !withdrawn(a));
  const still = over || word === "paused",
    now = useNow(!still && word !== "asks" && !!first);
  const { agent, priority, timeoutSec } = (detail.context ?? {}) as Wanted,
    model = (detail.result as { model?: string } | undefined)?.model,
    used = detail.spent ?? {};
  const heading = t(attempts.some((a) => a.review) ? "tasks.attemptsAndReviews" : "tasks.attempts"),
    by = attempts.findLast((a) => !a.review)?.agent ?? agent;
  const rows: [string, React.ReactNode][] = [
    [
      t("tasks.fact.status"),
      <StatusBadge key="s" status={failure ? "failed" : toneOf[word]}>
        {failure ?? t(`tasks.status.${word}`)}
      </StatusBadge>,
    ],
    [t("tasks.fact.agent"), by ? <Who key="a" id={by} /> : t("tasks.to.team")],
    ...(detail.trace
      ? [
          [
            t("tasks.fact.chain"),
            <Chain key="c" ids={[...detail.trace.chain, by ?? ""]} parent={detail.trace.parent} />,
          ] as [string, React.ReactNode],
        ]
      : []),
    ...(detail.given?.length
      ? [
          [
            t("tasks.fact.gaveOn"),
            <span key="o" className="col items-start">
              {detail.given.map((id, i) => (
                <TaskLink key={id} id={id}>
                  {t("tasks.fact.part", { n: formatNumber(i + 1) })}
                </TaskLink>
              ))}
            </span>,
          ] as [string, React.ReactNode],
        ]
      : []),
    ...(detail.retryOf
      ? [
          [
            t("tasks.fact.retryOf"),
            <TaskLink key="r" id={detail.retryOf}>
              {t("tasks.fact.earlier")}
            </TaskLink>,
          ] as [string, React.ReactNode],
        ]
      : []),
    ...(detail.retriedAs?.length
      ? [
          [
            t("tasks.fact.retriedAs"),
            <span key="a" className="col items-start">
              {detail.retriedAs.map((id, i) => (
                <TaskLink key={id} id={id}>
                  {t("tasks.fact.retry", { n: formatNumber(i + 1) })}
                </TaskLink>
              ))}
            </span>,
          ] as [string, React.ReactNode],
        ]
      : []),
    [t("tasks.kind"), t(`tasks.type.${detail.taskType}`)],
    ...(priority ? [[t("tasks.priority"), formatNumber(priority)] as [string, React.ReactNode]] : []),
    ...(timeoutSec
      ? [[t("tasks.deadline"), t("tasks.minutes", { count: Math.round(timeoutSec / 60) })] as [string, React.ReactNode]]
      : []),
    [
      t("tasks.fact.given"),
      <time key="g" dateTime={detail.createdAt}>
        {formatDateTime(detail.createdAt)}
      </time>,
    ],
    ...(first
      ? [
          [
            t("tasks.fact.took"),
            <span key="t" className="num">
              {spent(first.startedAt, still ? detail.updatedAt : now)}
            </span>,
          ] as [string, React.ReactNode],
        ]
      : []),
    ...(model
      ? [
          [
            t("tasks.fact.model"),
            <span key="m" className="mono">
              {model}
            </span>,
          ] as [string, React.ReactNode],
        ]
      : []),
    ...(used.tokensIn || used.tokensOut
      ? [
          [
            t("tasks.fact.tokens"),
            <span key="k" className="num">
              {t("tasks.fact.tokensOf", {
                in: formatNumber(used.tokensIn ?? 0),
                out: formatNumber(used.tokensOut ?? 0),
              })}
            </span>,
          ] as [string, React.ReactNode],
        ]
      : []),
    ...(hasBudget(detail)
      ? [[t("tasks.fact.budget"), <BudgetFact key="b" detail={detail} />] as [string, React.ReactNode]]
      : []),
    ...(output.progress > 0 && !over
      ? [
          [
            t("tasks.progress"),
            <span key="p" className="num">
              {Math.round(output.progress)} %
            </span>,
          ] as [string, React.ReactNode],
        ]
      : []),
    [
      t("tasks.fact.id"),
      <span key="i" className="mono task-id select-text">
        {detail.taskId}
      </span>,
    ],
  ];
  return (
    <>
      <div className="section">
        <dl className="task-facts">
          {rows.map(([what, is]) => (
            <div key={what} className="contents">
              <dt>{what}</dt>
              <dd>{is}</dd>
            </div>
          ))}
        </dl>
      </div>
      <div className="section">
        <h3 className="gap-1.5">
          {heading} {attempts.length > 0 && <Count n={attempts.length} />}
        </h3>
        {!attempts.length && <p className="t2">{t("tasks.noAttempt")}</p>}
        <ol className="task-attempts" aria-label={heading}>
          {attempts.map((a, i) => {
            const last = i === attempts.length - 1,
              revoked = withdrawn(a),
              runs = word === "asks" ? "waiting" : "running",
              ended = a.error ? (revoked || (last && word === "canceled") ? "idle" : "failed") : "done",
              tone = !a.endedAt && !over ? runs : ended,
              said = tone === "idle" ? (revoked ? "withdrawn" : "canceled") : tone;
            return (
              <li key={i}>
                <div className="row flex-wrap">
                  <b className="num">{i + 1}</b>
                  <Who id={a.agent} />
                  {a.review && <span className="t2">{t("tasks.attempt.review")}</span>}
                  <span className="grow" />
                  <StatusBadge status={last && failure ? "failed" : tone}>
                    {(last && failure) || t(said === "waiting" ? "tasks.status.asks" : `tasks.attempt.${said}`)}
                  </StatusBadge>
                </div>
                <div className="cap num">
                  {formatTime(a.startedAt)}
                  {a.endedAt && ` · ${spent(a.startedAt, a.endedAt)}`}
                </div>
                {a.error && (revoked || !(last && word === "canceled")) && (
                  <div className="why t2">{revoked ? t("tasks.revoked") : <Why cause={a.cause} text={a.error} />}</div>
                )}
              </li>
            );
          })}
        </ol>
        {detail.review?.refusals?.map((r, i) => (
          <div key={i} className="pt-2">
            <div className="row gap-1.5">
              <Who id={r.reviewer} />
              <span className="t2">{t("tasks.refusedWork")}</span>
            </div>
            <p className="why t2">{r.remarks}</p>
          </div>
        ))}
        {attempts.every(withdrawn) && detail.errorMessage && word !== "canceled" && (
          <div className="t2 pt-2">
            <Why cause={detail.cause} text={detail.errorMessage} />
          </div>
        )}
      </div>
    </>
  );
}

const TaskLink = ({ id, children }: { id: string; children: React.ReactNode }) => (
  <button type="button" className="link" title={id} onClick={() => showTask(id)}>
    {children}
  </button>
);

/** The chain of agents through which a task was delegated. */
function Chain({ ids, parent }: { ids: string[]; parent: string }) {
  const { t } = useTranslation();
  const agents = useTasks((s) => s.agents);
  return (
    <span className="col items-start">
      <span>
        {ids
          .filter(Boolean)
          .map((id) => agents.find((a) => a.id === id)?.name || id)
          .join(" → ")}
      </span>
      <TaskLink id={parent}>{t("tasks.fact.parent")}</TaskLink>
    </span>
  );
}

function Who({ id }: { id: string }) {
  const faceOf = useFaces(),
    name = useTasks((s) => s.agents.find((a) => a.id === id)?.name) || id;
  return (
    <span className="row gap-1.5 min-w-0">
      <Avatar size="sm" {...faceOf(id)} />
      <span className="cut" title={id}>
        {name}
      </span>
    </span>
  );
}
