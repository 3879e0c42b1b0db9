import { CalendarClock, Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { gatewayName } from "@/i18n/gateway";
import { errorMeaning } from "@/i18n/problem";
import { useCron, type CronJob } from "@/stores/cron";
import { useTeam } from "@/stores/team";
import { displayName, type Agent } from "@/topology";
import { Banner, Button, EmptyState, OwnWords, Skeleton } from "@/ui";
import { DeleteJob } from "./DeleteJob";
import { JobForm } from "./JobForm";
import { JobRow } from "./JobRow";
import { useMeaning, type Failed } from "./useMeaning";

/** What an agent does at set times on its gateway. Changes apply there at once: they are no part of the draft. */
export function ScheduleTab({ agent }: { agent: Agent }) {
  const { t } = useTranslation();
  const cron = useCron(agent.id),
    gateway = gatewayName(t, cron.gateway),
    meaning = useMeaning();
  // For an agent that it doesn't have, a gateway runs the job as another one.
  const there = useTeam((s) => !!s.base?.topology.agents.some((a) => a.id === agent.id));
  const [form, setForm] = useState<CronJob | "new">(),
    [deleting, setDeleting] = useState<CronJob>(),
    [failed, setFailed] = useState<Failed>();
  if (!cron.online)
    return (
      <EmptyState icon={CalendarClock} title={t("schedule.offline", { gateway })}>
        {t("schedule.offlineWhy")}
      </EmptyState>
    );
  if (!cron.acts.includes("list"))
    return (
      <EmptyState icon={CalendarClock} title={t("schedule.notOffered", { gateway })}>
        {t("schedule.notOfferedWhy")}
      </EmptyState>
    );
  if (!there)
    return (
      <EmptyState icon={CalendarClock} title={t("schedule.notThere", { name: displayName(agent), gateway })}>
        {t("schedule.notThereWhy")}
      </EmptyState>
    );
  const jobs = cron.data;
  const add = cron.acts.includes("add") && (
    <Button icon={Plus} onClick={() => setForm("new")}>
      {t("schedule.add")}
    </Button>
  );
  return (
    <div className="col">
      {failed && (
        <Banner
          tone="failed"
          actions={
            <Button size="sm" onClick={() => setFailed(undefined)}>
              {t("common.close")}
            </Button>
          }
        >
          {t("common.sentences", { a: failed.what, b: meaning(failed.error) })}
          {failed.error.code === "GATEWAY_ERROR" && <OwnWords summary={t("common.more")} text={failed.error.message} />}
        </Banner>
      )}
      {cron.off && (
        <Banner tone="waiting">
          {t("common.sentences", { a: t("schedule.off", { gateway }), b: t("schedule.offWhy") })}
        </Banner>
      )}
      {cron.error ? (
        <Banner
          tone="failed"
          actions={
            <Button size="sm" onClick={cron.again}>
              {t("common.retry")}
            </Button>
          }
        >
          {t("common.sentences", { a: t("schedule.failed", { gateway }), b: errorMeaning(t, cron.error) })}
        </Banner>
      ) : !jobs ? (
        <Skeleton lines={6} label={t("schedule.loading")} />
      ) : !jobs.length ? (
        <EmptyState icon={CalendarClock} title={t("schedule.empty")} action={add}>
          {t("schedule.emptyWhy")}
        </EmptyState>
      ) : (
        <>
          <ul aria-label={t("schedule.list")}>
            {jobs.map((job) => (
              <JobRow
                key={job.id}
                job={job}
                cron={cron}
                onEdit={() => setForm(job)}
                onDelete={() => setDeleting(job)}
                onFailed={setFailed}
              />
            ))}
          </ul>
          <div className="row p-3">{add}</div>
        </>
      )}
      {form && (
        <JobForm
          agent={agent.id}
          name={displayName(agent)}
          job={form === "new" ? undefined : form}
          cron={cron}
          onClose={() => setForm(undefined)}
        />
      )}
      <DeleteJob job={deleting} cron={cron} onClose={() => setDeleting(undefined)} onFailed={setFailed} />
    </div>
  );
}
