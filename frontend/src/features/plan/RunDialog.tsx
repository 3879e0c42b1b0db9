import { Play, ShieldAlert, ShieldCheck } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { errorMeaning } from "@/i18n/problem";
import { sandboxText } from "@/i18n/sandbox";
import { asApiError, type ApiError } from "@/stores/faults";
import { useHub } from "@/stores/hub";
import { planLibrary, runPlan } from "@/stores/plans";
import { useSandbox } from "@/stores/sandbox";
import type { PlanFound, PlanOrder, PlanWhole } from "@/topology";
import { Button, Checkbox, Dialog, ErrorState, Field, IconButton, Input, Select, Skeleton } from "@/ui";
import { dollars, draftOf, fits, orderOf, withoutPlace, type Draft } from "./order";
import { RunMore } from "./RunMore";

/** Runs the plan. It first asks where, by which workers and how, and that is the approval. */
export function RunButton({ whole, phone, still }: { whole: PlanWhole; phone: boolean; still: boolean }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState(false);
  const state = whole.work?.state;
  if (state === "working" || (state === "paused" && !whole.work?.held)) return null;
  const press = { disabled: still || whole.tasks === 0 || whole.done === whole.tasks, onClick: () => setOpen(true) };
  return (
    <>
      {phone ? (
        <IconButton icon={Play} label={t("plan.run.open")} {...press} />
      ) : (
        <Button icon={Play} {...press}>
          {t("plan.run.open")}
        </Button>
      )}
      {open && <RunDialog whole={whole} onClose={() => setOpen(false)} />}
    </>
  );
}

const numbers = ["1", "2", "3", "4", "6", "8"] as const;
function RunDialog({ whole, onClose }: { whole: PlanWhole; onClose: () => void }) {
  const { t } = useTranslation();
  const plans = useHub((s) => s.plans);
  const [draft, setDraft] = useState(() => draftOf(whole.work ?? withoutPlace(plans.find((p) => p.work)?.work)));
  const [found, setFound] = useState<PlanFound[]>(),
    [unread, setUnread] = useState<ApiError>(),
    [look, setLook] = useState(0);
  const [busy, setBusy] = useState(false),
    [error, setError] = useState<ApiError>();
  useEffect(() => {
    let live = true;
    planLibrary.workers().then(
      (all) => {
        if (live) setFound(all);
      },
      (e: unknown) => {
        if (live) setUnread(asApiError(e));
      },
    );
    return () => {
      live = false;
    };
  }, [look]);
  const sandbox = useSandbox();
  const put = (change: Partial<Draft>) => {
    setError(undefined);
    setDraft((d) => ({ ...d, ...change }));
  };
  const usable = (found ?? []).filter((f) => fits(f, "exec") || fits(f, "acp")),
    parallels = [...new Set([...numbers, draft.parallel])].sort((a, b) => Number(a) - Number(b));
  const worker = usable.find((f) => f.kind === draft.worker) ?? usable.find((f) => fits(f, draft.mode)) ?? usable[0],
    field = error?.details?.field,
    noTree = error?.details?.reason === "no_worktree";
  const ready = worker && fits(worker, draft.mode) && draft.folder.trim();
  const said = (name: string) => (error && field === name ? errorMeaning(t, error) : undefined);
  const run = async () => {
    if (!ready || busy) return;
    setBusy(true);
    try {
      await runPlan(whole.id, orderOf(draft, worker.kind as PlanOrder["worker"]));
      onClose();
    } catch (e) {
      setError(asApiError(e));
      setBusy(false);
    }
  };
  return (
    <Dialog
      open
      onOpen={onClose}
      title={t("plan.run.title", { name: whole.name })}
      width={480}
      footer={
        <>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button tone="main" icon={Play} busy={busy} disabled={!ready} onClick={() => void run()}>
            {t("plan.run.begin")}
          </Button>
        </>
      }
    >
      <div className="col gap-3">
        <p className="t2 m-0">
          {t(draft.direct ? "plan.run.directWhy" : draft.test.trim() ? "plan.run.why" : "plan.run.whyUntested")}
        </p>
        {sandbox && (
          <p className={sandbox.active ? "row items-start m-0" : "row items-start m-0 text-waiting"} data-sandbox>
            {sandbox.active ? (
              <ShieldCheck size={16} className="mt-0.5 flex-none" aria-hidden />
            ) : (
              <ShieldAlert size={16} className="mt-0.5 flex-none" aria-hidden />
            )}
            <span>
              <b>{t("common.sandbox.label")}</b> · {sandboxText(t, sandbox)}
            </span>
          </p>
        )}
        <Field label={t("plan.run.folder")} hint={t("plan.run.folderHint")} error={said("folder")}>
          {(ids) => (
            <Input
              {...ids}
              autoFocus
              value={draft.folder}
              onText={(folder) => put({ folder, direct: false })}
              maxLength={4000}
              spellCheck={false}
            />
          )}
        </Field>
        {(noTree || draft.direct) && (
          <Checkbox
            label={t("plan.run.direct")}
            hint={t("plan.run.directHint")}
            checked={draft.direct}
            onChecked={(direct) => put({ direct })}
          />
        )}
        {unread ? (
          <ErrorState
            title={t("plan.run.workersUnread")}
            actions={
              <Button
                size="sm"
                onClick={() => {
                  setUnread(undefined);
                  setLook(look + 1);
                }}
              >
                {t("common.retry")}
              </Button>
            }
          >
            {errorMeaning(t, unread)}
          </ErrorState>
        ) : !found ? (
          <Skeleton lines={1} label={t("plan.run.looking")} />
        ) : worker ? (
          <div className="plan-run-pair">
            <Field label={t("plan.run.worker")} hint={worker.version} error={said("command")}>
              {(ids) => (
                <Select
                  {...ids}
                  value={worker.kind}
                  onValue={(kind) => put({ worker: kind as Draft["worker"] })}
                  options={usable.map((f) => ({ value: f.kind, label: f.kind }))}
                />
              )}
            </Field>
            <Field label={t("plan.run.workerModel")} hint={t("plan.run.workerModelHint")}>
              {(ids) => (
                <Input
                  {...ids}
                  mono
                  value={draft.workerModel}
                  onText={(workerModel) => put({ workerModel })}
                  maxLength={500}
                  spellCheck={false}
                />
              )}
            </Field>
          </div>
        ) : (
          <None
            found={found}
            onAgain={() => {
              setFound(undefined);
              setLook(look + 1);
            }}
          />
        )}
        <Field label={t("plan.run.test")} hint={t("plan.run.testHint")}>
          {(ids) => (
            <Input {...ids} value={draft.test} onText={(test) => put({ test })} maxLength={4000} spellCheck={false} />
          )}
        </Field>
        <div className="plan-run-pair">
          <Field label={t("plan.run.parallel")} error={said("parallel")}>
            {(ids) => (
              <Select
                {...ids}
                value={draft.parallel}
                onValue={(parallel) => put({ parallel })}
                options={parallels.map((value) => ({ value, label: value }))}
              />
            )}
          </Field>
          <Field label={t("plan.run.tokens")} hint={t("plan.run.tokensHint")}>
            {(ids) => (
              <Input
                {...ids}
                inputMode="numeric"
                value={draft.maxTokens}
                onText={(text) => put({ maxTokens: text.replace(/\D/g, "").slice(0, 12) })}
              />
            )}
          </Field>
        </div>
        <Field label={t("plan.run.usd")} hint={t("plan.run.usdHint")} error={said("maxUsd")}>
          {(ids) => (
            <Input
              {...ids}
              inputMode="decimal"
              value={draft.maxUsd}
              onText={(text) => put({ maxUsd: dollars(text) })}
            />
          )}
        </Field>
        <Checkbox
          label={t("plan.run.askPhases")}
          checked={draft.askPhases}
          onChecked={(askPhases) => put({ askPhases })}
        />
        <Checkbox
          label={t("plan.run.askMerges")}
          hint={t("plan.run.askHint")}
          checked={draft.askMerges && !draft.direct}
          disabled={draft.direct}
          onChecked={(askMerges) => put({ askMerges })}
        />
        {worker && <RunMore draft={draft} worker={worker} put={put} said={said} />}
        {error && !["folder", "command", "parallel", "maxUsd", "env", "askTools", "tryUsd"].includes(String(field)) && (
          <ErrorState title={t("plan.run.failed")}>{errorMeaning(t, error)}</ErrorState>
        )}
      </div>
    </Dialog>
  );
}

function None({ found, onAgain }: { found: PlanFound[]; onAgain: () => void }) {
  const { t } = useTranslation();
  return (
    <ErrorState
      title={t("plan.run.none")}
      actions={
        <Button size="sm" onClick={onAgain}>
          {t("plan.run.again")}
        </Button>
      }
    >
      {found.map((f) => (
        <span key={f.kind} className="block">
          <b>{f.command}</b> <code className="mono">{f.problem ?? f.install}</code>
        </span>
      ))}
    </ErrorState>
  );
}
