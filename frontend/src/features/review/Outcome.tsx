import { CircleCheck, CirclePause, CircleSlash } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatTime } from "@/i18n/format";
import { attempt } from "@/stores/faults";
import { askRollback } from "@/stores/reach";
import { useTarget } from "@/stores/team";
import { useUi } from "@/stores/ui";
import type { Apply, Difference } from "@/topology";
import { Button, ErrorState, keysOf } from "@/ui";
import { failureOf, issuesOf, type Failure } from "./applies";
import { agentName, nameOfField, type Teams } from "@/flow";
import { doneText } from "./doneText";
import { failureText, failureTitle } from "./failures";
import { goToPlace } from "./Problems";
import { lookAgain, putAway } from "./store";
import { undoApply } from "./undo";

/** How an apply ended, and what to do next. */
export function Outcome({ apply: a, teams }: { apply: Apply; teams: Teams }) {
  const { t } = useTranslation();
  if (a.state === "done") {
    return (
      <Told icon={<CircleCheck size={16} className="text-done" aria-hidden />} title={doneText(t, a)}>
        {!!a.left && <p>{t("choose.leftAfter", { count: a.left })}</p>}
        {a.added && a.added.length > 0 && (
          <Differences list={a.added} teams={teams} title={t("apply.added", { count: a.added.length })} added />
        )}
      </Told>
    );
  }
  if (a.state === "canceled")
    return (
      <Told icon={<CircleSlash size={16} className="t2" aria-hidden />} title={t("apply.canceled")}>
        {t("apply.canceledWhy")}
      </Told>
    );
  if (a.state === "unknown")
    return (
      <Told
        icon={<CirclePause size={16} className="text-waiting" aria-hidden />}
        title={t("apply.fail.unknown.title")}
        alert
      >
        {t("apply.fail.unknown.text")}
      </Told>
    );
  return <Failed apply={a} teams={teams} />;
}

function Told({
  icon,
  title,
  alert,
  children,
}: {
  icon: ReactNode;
  title: string;
  alert?: boolean;
  children?: ReactNode;
}) {
  return (
    <div className="review-outcome" role={alert ? "alert" : "status"}>
      <div className="row">
        {icon}
        <b>{title}</b>
      </div>
      {children && <div className="t2 pt-1 pl-6">{children}</div>}
    </div>
  );
}

function Failed({ apply: a, teams }: { apply: Apply; teams: Teams }) {
  const { t } = useTranslation();
  const why = failureOf(a.error, a);
  const issues = issuesOf(a.error, teams.after?.agents ?? []);
  const remedy = typeof a.error?.details?.remedy === "string" ? a.error.details.remedy : "";
  const missing = typeof a.error?.details?.missingScope === "string" ? a.error.details.missingScope : "";
  return (
    <div className="review-outcome">
      <ErrorState title={failureTitle(t, why, a.kind)}>
        {failureText(t, why, a.error, a)}
        {missing && <span className="block mono pt-1">{missing}</span>}
        {remedy && (
          <code className="block pt-1" translate="no">
            {remedy}
          </code>
        )}
        {((why === "rejected" && !issues.length) ||
          why === "away" ||
          why === "inactive" ||
          why === "filesLeft" ||
          why === "jobsLeft" ||
          why === "token" ||
          a.deleted?.length) &&
          a.error && <span className="cap block pt-1">{t("apply.said", { text: a.error.message })}</span>}
        {a.deleted && a.deleted.length > 0 && (
          <span className="block pt-1">
            {t("apply.deletedAlready", { names: a.deleted.map((id) => agentName(teams, id)).join(t("list.comma")) })}
          </span>
        )}
        {issues.length > 0 && (
          <ul className="pt-2">
            {issues.map((i, n) => (
              <li key={n} className="row py-0.5">
                {i.agent ? <b className="flex-none">{agentName(teams, i.agent)}</b> : null}
                <code className="flex-none">{i.path}</code>
                <span className="grow">{i.message}</span>
                {i.agent && (
                  <Button
                    size="sm"
                    onClick={() => {
                      putAway();
                      goToPlace({ subject: "agent", agent: i.agent });
                    }}
                  >
                    {t("review.goThere")}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        )}
        {why === "mismatch" && a.differences && (
          <Differences
            list={a.differences}
            teams={teams}
            title={t("apply.differences", { count: a.differences.length })}
          />
        )}
      </ErrorState>
    </div>
  );
}

function Differences({
  list,
  teams,
  title,
  added,
}: {
  list: Difference[];
  teams: Teams;
  title: string;
  added?: boolean;
}) {
  const { t } = useTranslation();
  return (
    <div className="pt-1">
      <span>{title}</span>
      <table className="table mt-1">
        <thead>
          <tr>
            <th>{t("apply.where")}</th>
            {!added && <th>{t("apply.want")}</th>}
            <th>{t(added ? "apply.filled" : "apply.got")}</th>
          </tr>
        </thead>
        <tbody>
          {list.map((d, i) => (
            <tr key={i}>
              <td>
                {[d.agent && agentName(teams, d.agent), d.field && nameOfField(t, d.field)].filter(Boolean).join(" · ")}
              </td>
              {!added && (
                <td>
                  <code className="cut">{d.want || t("merge.nothing")}</code>
                </td>
              )}
              <td>
                <code className="cut" title={d.got}>
                  {d.got || t("merge.nothing")}
                </code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function RollBackAgain({ apply: a, to }: { apply: Apply; to: string }) {
  const { t } = useTranslation();
  const connected = useTarget()?.state === "connected";
  return (
    <Button
      disabled={!connected}
      onClick={() => askRollback({ gateway: a.gateway, snapshotId: to }, a.keep ? undefined : a.team)}
    >
      {t("apply.rollBackAgain")}
    </Button>
  );
}

const leadsToSettings: Failure[] = ["token", "scope", "pairing"];
const toTeam = () => {
  putAway();
  useUi.getState().go("canvas");
};

/** The buttons that belong to an end: the way back and the way on. */
export function OutcomeActions({ apply: a }: { apply: Apply }) {
  const { t } = useTranslation();
  const why = a.state === "failed" || a.state === "unknown" ? failureOf(a.error, a) : undefined;
  const undo =
    a.snapshotId &&
    a.kind === "apply" &&
    ((a.state === "done" && (a.sent > 0 || a.deleted?.length)) ||
      why === "mismatch" ||
      why === "inactive" ||
      why === "filesLeft" ||
      (why === "interrupted" && a.error?.details?.sent !== false));
  const check = why === "unknown" || why === "away";
  return (
    <>
      {a.endedAt && (
        <span className="cap">
          <time>{formatTime(a.endedAt)}</time>
        </span>
      )}
      <span className="grow" />
      {why === "interrupted" && a.to && <RollBackAgain apply={a} to={a.to} />}
      {undo && <Button onClick={() => void attempt("undoApply", () => undoApply(a))}>{t("apply.undo")}</Button>}
      {why && leadsToSettings.includes(why) && (
        <Button
          onClick={() => {
            putAway();
            useUi.getState().go("settings");
          }}
        >
          {t("apply.openSettings")}
        </Button>
      )}
      {a.state === "done" ? (
        <Button tone="main" keys={keysOf("backToCanvas")} onClick={toTeam}>
          {t("apply.back")}
        </Button>
      ) : (
        <>
          <Button onClick={toTeam}>{t("review.keepTeam")}</Button>
          <Button tone="main" onClick={lookAgain}>
            {t(check ? "apply.checkNow" : "apply.reviewAgain")}
          </Button>
        </>
      )}
    </>
  );
}
