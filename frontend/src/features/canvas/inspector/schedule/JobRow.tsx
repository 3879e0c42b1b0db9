import { Pencil, Play, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatCost, formatDateTime, formatNumber } from "@/i18n/format";
import { errorMeaning } from "@/i18n/problem";
import { cronActs, useCronRuns, type CronJob, type CronOf, type CronRun } from "@/stores/cron";
import { asApiError } from "@/stores/faults";
import { Badge, Banner, IconButton, Skeleton, StatusBadge, Switch, toast } from "@/ui";
import { monthly } from "./cost";
import type { Failed } from "./useMeaning";
import { here, whenText } from "./when";

type Props = {
  job: CronJob;
  cron: CronOf;
  onEdit: () => void;
  onDelete: () => void;
  onFailed: (f: Failed | undefined) => void;
};

/** A job: what it's called, when it runs, how it ended last, and what can be done with it. */
export function JobRow({ job, cron, onEdit, onDelete, onFailed }: Props) {
  const { t } = useTranslation();
  const { name } = job;
  const [busy, setBusy] = useState<"run" | "switch">(),
    [open, setOpen] = useState(false);
  const act = async (doing: "run" | "switch", what: string, work: () => Promise<unknown>) => {
    setBusy(doing);
    onFailed(undefined);
    try {
      await work();
    } catch (e) {
      onFailed({ what, error: asApiError(e) });
    }
    setBusy(undefined);
    cron.again();
  };
  const run = () =>
    void act("run", t("schedule.couldntRun", { name }), async () => {
      const { started, reason = "" } = await cronActs.run(cron.gateway, job);
      toast({
        tone: started ? "done" : "info",
        text: started ? t("schedule.started") : t("schedule.notStarted", { name, reason }),
        closeLabel: t("common.close"),
      });
    });
  const turn = (enabled: boolean) =>
    void act("switch", t("schedule.couldnt", { name }), () => cronActs.change(cron.gateway, job, { enabled }));
  return (
    <li className="section" aria-label={name}>
      <div className="row flex-wrap">
        <b className="grow break-words min-w-0">{name}</b>
        {job.managed && <Badge>{t("schedule.managed")}</Badge>}
      </div>
      <p className={job.schedule.kind === "cron" ? "mono" : undefined}>{whenText(t, job.schedule)}</p>
      {job.enabled && job.nextRunAt && !cron.off && (
        <p className="cap">{t("schedule.next", { when: formatDateTime(job.nextRunAt), zone: here() })}</p>
      )}
      <Outcome job={job} />
      <div className="row flex-wrap pt-1">
        <span className="grow">
          <Switch
            label={t("schedule.enabledOf", { name })}
            checked={job.enabled}
            disabled={!cron.acts.includes("update") || busy === "switch"}
            onChecked={turn}
          />
        </span>
        {cron.acts.includes("run") && (
          <IconButton
            icon={Play}
            label={t("schedule.runOf", { name })}
            disabled={!!busy || !!job.runningSince}
            onClick={run}
          />
        )}
        {cron.acts.includes("update") && !job.managed && (
          <IconButton icon={Pencil} label={t("schedule.editOf", { name })} onClick={onEdit} />
        )}
        {cron.acts.includes("remove") && !job.managed && (
          <IconButton icon={Trash2} label={t("schedule.deleteOf", { name })} onClick={onDelete} />
        )}
      </div>
      {cron.acts.includes("runs") && (
        <details className="cap" onToggle={(e) => setOpen(e.currentTarget.open)}>
          <summary>{t("schedule.runs")}</summary>
          {open && <Runs job={job} cron={cron} />}
        </details>
      )}
    </li>
  );
}

/** What the job is at, or how its last run ended, with the gateway's words. */
function Outcome({ job }: { job: CronJob }) {
  const { t } = useTranslation();
  if (job.runningSince)
    return (
      <span>
        <StatusBadge status="running">{t("schedule.running", { when: formatDateTime(job.runningSince) })}</StatusBadge>
      </span>
    );
  if (!job.lastRunAt) return null;
  const status = job.lastStatus ?? "unknown";
  return (
    <>
      <span>
        <StatusBadge status={status === "error" ? "failed" : status === "ok" ? "done" : "idle"}>
          {t(`schedule.last.${status}`, { when: formatDateTime(job.lastRunAt) })}
        </StatusBadge>
      </span>
      {job.lastError && <p className="hint hint--bad break-words select-text">{job.lastError}</p>}
    </>
  );
}

function Runs({ job, cron }: { job: CronJob; cron: CronOf }) {
  const { t } = useTranslation();
  const runs = useCronRuns(cron.gateway, job);
  if (runs.error)
    return (
      <Banner tone="failed">
        {t("common.sentences", { a: t("schedule.runFailed"), b: errorMeaning(t, runs.error) })}
      </Banner>
    );
  if (!runs.data) return <Skeleton lines={2} label={t("common.loading")} />;
  if (!runs.data.length) return <p>{t("schedule.noRuns")}</p>;
  return (
    <>
      {!cron.off && <Month job={job} runs={runs.data} />}
      <ul aria-label={t("schedule.runs")}>
        {runs.data.map((r, i) => (
          <li key={r.at ?? i} className="break-words select-text">
            {r.at && formatDateTime(r.at)} {r.status && t(`schedule.run_${r.status}`)}
            {used(r) > 0 && ` · ${t("schedule.tokens", { n: formatNumber(used(r)) })}`}
            {r.priced && ` · ${formatCost(r.costUsd ?? 0)}`}
            {(r.error ?? r.summary) && <p>{r.error ?? r.summary}</p>}
          </li>
        ))}
      </ul>
    </>
  );
}

const used = (r: CronRun) => (r.tokensIn ?? 0) + (r.tokensOut ?? 0);

/** What the job uses in a month, as far as its last runs tell. */
function Month({ job, runs }: { job: CronJob; runs: readonly CronRun[] }) {
  const { t } = useTranslation();
  const m = monthly(job, runs);
  if (!m) return null;
  const tokens = t("schedule.month", { n: formatNumber(Math.round(m.tokens)), runs: formatNumber(Math.round(m.runs)) });
  return <p>{m.usd === undefined ? tokens : `${tokens} · ${formatCost(m.usd)}`}</p>;
}
