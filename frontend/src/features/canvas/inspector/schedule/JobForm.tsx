import { useState } from "react";
import { useTranslation } from "react-i18next";
import { cronActs, type CronJob, type CronOf } from "@/stores/cron";
import { asApiError, type ApiError } from "@/stores/faults";
import { Banner, Button, Dialog, Field, Input, RadioGroup, Select, Textarea, toast } from "@/ui";
import { useMeaning } from "./useMeaning";
import { filledOf, here, scheduleOf, units, type Filled, type Unit } from "./when";

type Props = { agent: string; name: string; job?: CronJob; cron: CronOf; onClose: () => void };
type Needs = "name" | "message" | "interval" | "time" | "expr";

/** The form of a new job, or of one that is there. Only what was changed is sent. */
export function JobForm({ agent, name: who, job, cron, onClose }: Props) {
  const { t } = useTranslation();
  const meaning = useMeaning();
  const [name, setName] = useState(job?.name ?? ""),
    [message, setMessage] = useState(job?.message ?? ""),
    [when, setWhen] = useState(() => filledOf(job?.schedule)),
    [touched, setTouched] = useState(!job),
    [tried, setTried] = useState(false),
    [busy, setBusy] = useState(false),
    [error, setError] = useState<ApiError>();
  const says = !job || (job.kind !== "other" && !job.messageCut);
  const schedule = touched ? scheduleOf(when) : undefined;
  const needs: Needs[] = [];
  if (!name.trim()) needs.push("name");
  if (says && !message.trim()) needs.push("message");
  if (schedule && "wrong" in schedule) needs.push(schedule.wrong);
  const save = async () => {
    setTried(true);
    setError(undefined);
    if (needs.length || (schedule && "wrong" in schedule)) return;
    setBusy(true);
    try {
      if (!job) {
        if (!schedule) return;
        await cronActs.add(cron.gateway, { name: name.trim(), agentId: agent, message, schedule });
      } else {
        const edit = {
          ...(name.trim() !== job.name && { name: name.trim() }),
          ...(says && message !== job.message && { message }),
          ...(schedule && { schedule }),
        };
        if (Object.keys(edit).length) await cronActs.change(cron.gateway, job, edit);
      }
      toast({ tone: "done", text: t(job ? "schedule.saved" : "schedule.added"), closeLabel: t("common.close") });
      cron.again();
      onClose();
    } catch (e) {
      setError(asApiError(e));
    } finally {
      setBusy(false);
    }
  };
  const need = (n: Needs) => (tried && needs.includes(n) ? t(`schedule.needs.${n}`) : undefined);
  return (
    <Dialog
      open
      onOpen={(open) => !open && !busy && onClose()}
      title={job ? t("schedule.editTitle", { name: job.name }) : t("schedule.addTitle", { name: who })}
      footer={
        <>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button tone="main" busy={busy} onClick={() => void save()}>
            {t(job ? "schedule.save" : "schedule.add")}
          </Button>
        </>
      }
    >
      {error && (
        <Banner tone="failed">{t("common.sentences", { a: t("schedule.couldntAdd"), b: meaning(error) })}</Banner>
      )}
      <Field label={t("schedule.name")} error={need("name")}>
        {(ids) => <Input {...ids} value={name} maxLength={200} onText={setName} invalid={!!need("name")} />}
      </Field>
      {says ? (
        <Field
          label={t("schedule.message")}
          hint={job?.kind === "event" ? undefined : t("schedule.messageHint")}
          error={need("message")}
        >
          {(ids) => (
            <Textarea
              {...ids}
              rows={4}
              maxLength={16_384}
              value={message}
              onText={setMessage}
              invalid={!!need("message")}
            />
          )}
        </Field>
      ) : (
        <p className="cap">{t(job.messageCut ? "schedule.messageCut" : "schedule.noMessage")}</p>
      )}
      <WhenFields
        value={when}
        stays={job?.schedule.kind === "at" && !job.deletedAfter}
        need={need}
        onValue={(f) => {
          setWhen(f);
          setTouched(true);
        }}
      />
    </Dialog>
  );
}

function WhenFields({
  value: f,
  stays,
  need,
  onValue,
}: {
  value: Filled;
  /** A job that runs once is there afterwards. */ stays: boolean;
  need: (n: Needs) => string | undefined;
  onValue: (f: Filled) => void;
}) {
  const { t } = useTranslation();
  const set = (patch: Partial<Filled>) => onValue({ ...f, ...patch });
  return (
    <>
      <Field label={t("schedule.when")}>
        {() => (
          <RadioGroup
            label={t("schedule.when")}
            value={f.kind}
            onValue={(kind) => set({ kind })}
            options={(["every", "at", "cron"] as const).map((value) => ({ value, label: t(`schedule.kind.${value}`) }))}
          />
        )}
      </Field>
      {f.kind === "every" && (
        <Field label={t("schedule.interval")} error={need("interval")}>
          {(ids) => (
            <div className="row">
              <Input {...ids} inputMode="decimal" value={f.n} onText={(n) => set({ n })} invalid={!!need("interval")} />
              <Select<Unit>
                label={t("schedule.unit")}
                value={f.unit}
                onValue={(unit) => set({ unit })}
                options={(Object.keys(units) as Unit[]).map((value) => ({
                  value,
                  label: t(`schedule.units.${value}`),
                }))}
              />
            </div>
          )}
        </Field>
      )}
      {f.kind === "at" && (
        <Field
          label={t("schedule.time")}
          hint={t("common.sentences", {
            a: t("schedule.timeHint", { zone: here() }),
            b: t(stays ? "schedule.timeStays" : "schedule.timeDeletes"),
          })}
          error={need("time")}
        >
          {(ids) => (
            <Input {...ids} type="datetime-local" value={f.at} onText={(at) => set({ at })} invalid={!!need("time")} />
          )}
        </Field>
      )}
      {f.kind === "cron" && (
        <>
          <Field label={t("schedule.expr")} hint={t("schedule.exprHint")} error={need("expr")}>
            {(ids) => (
              <Input
                {...ids}
                mono
                value={f.expr}
                maxLength={200}
                onText={(expr) => set({ expr })}
                invalid={!!need("expr")}
              />
            )}
          </Field>
          <Field label={t("schedule.zone")} hint={t("schedule.zoneHint")}>
            {(ids) => <Input {...ids} value={f.zone} maxLength={100} onText={(zone) => set({ zone })} />}
          </Field>
        </>
      )}
    </>
  );
}
