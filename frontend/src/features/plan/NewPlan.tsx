import { FilePlus, ListTree, Upload } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatWhen } from "@/i18n/format";
import { errorMeaning } from "@/i18n/problem";
import { begin, useBegun } from "@/stores/begun";
import { ApiError, asApiError } from "@/stores/faults";
import { useHub } from "@/stores/hub";
import { showPlan } from "@/stores/planPlace";
import { planLibrary } from "@/stores/plans";
import { stillHere } from "@/stores/routes";
import { Button, Count, ErrorState, ListRow, Marked, marked, Skeleton } from "@/ui";
import { GoalForm, goalKey } from "./GoalForm";

/** Where a plan is made or chosen: by a goal, from a file, or with nothing in it. */
export function NewPlan({ onModels }: { onModels: () => void }) {
  const { t } = useTranslation();
  const known = useHub((s) => s.known),
    plans = useHub((s) => s.plans);
  const [goal, setGoal] = useBegun(goalKey("new"));
  const file = useRef<HTMLInputElement>(null),
    [error, setError] = useState<ApiError>(),
    [busy, setBusy] = useState(false);
  const show = async (made: Promise<{ id: string }>) => {
    const here = stillHere(),
      { id } = await made;
    if (here()) showPlan(id);
  };
  const make = async (work: () => Promise<{ id: string }>) => {
    setBusy(true);
    setError(undefined);
    try {
      await show(work());
    } catch (e) {
      setError(asApiError(e));
    } finally {
      setBusy(false);
    }
  };
  const empty = async () => {
    const made = await planLibrary.create({ name: t("plan.unnamed") });
    begin(goalKey(made.id), goal); // a goal that is typed goes into the plan with its person, not yet submitted
    setGoal("");
    return made;
  };
  const read = async (f: File) => {
    let plan: unknown;
    try {
      plan = JSON.parse(await f.text());
    } catch {
      throw new ApiError({ code: "VALIDATION_ERROR", message: t("plan.notJson", { file: f.name }) }, 400);
    }
    return planLibrary.create({ name: f.name.replace(/(\.plan)?\.json$/i, ""), plan, file: f.name });
  };
  return (
    <div className="scroll plan-start">
      <div className="plan-start-in">
        <div className="row gap-2">
          <ListTree size={18} className="t2" aria-hidden />
          <h2 className="text-16 font-[600] m-0">{t("plan.start")}</h2>
        </div>
        <p className="t2 m-0">{t("plan.startWhy")}</p>
        <GoalForm
          of="new"
          rows={4}
          label={t("plan.start")}
          placeholder={t("plan.goal")}
          send={t("plan.breakDown")}
          onModels={onModels}
          onSend={(goal) => show(planLibrary.create({ goal }))}
        />
        <div className="row gap-2 flex-wrap">
          <Button icon={Upload} busy={busy} onClick={() => file.current?.click()}>
            {t("plan.import")}
          </Button>
          <Button icon={FilePlus} busy={busy} onClick={() => void make(empty)}>
            {t("plan.empty")}
          </Button>
          <input
            ref={file}
            type="file"
            accept=".json,application/json"
            className="sr-only"
            tabIndex={-1}
            aria-label={t("plan.import")}
            onChange={(e) => {
              const f = e.target.files?.[0];
              e.target.value = "";
              if (f) void make(() => read(f));
            }}
          />
        </div>
        {error && <ErrorState title={t("plan.notMade")}>{errorMeaning(t, error)}</ErrorState>}
        {!known && <Skeleton lines={3} label={t("common.loading")} />}
        {plans.length > 0 && (
          <section aria-label={t("plan.all")} className="pt-3">
            <h3 className="label px-0">{t("plan.all")}</h3>
            {plans.map((p) => (
              <ListRow
                key={p.id}
                lead={<ListTree size={16} className="t2 flex-none" aria-hidden />}
                title={<Marked text={p.name} />}
                titleText={marked(p.name)}
                onClick={() => showPlan(p.id)}
                caption={
                  p.asking
                    ? t("plan.asking")
                    : p.tasks
                      ? t("plan.share_", { done: p.done, all: p.tasks })
                      : t("plan.noTasks")
                }
                end={
                  <span className="row gap-2 flex-none">
                    {p.waiting > 0 && <Count n={p.waiting} need />}
                    <time className="cap num" dateTime={p.updatedAt}>
                      {formatWhen(p.updatedAt)}
                    </time>
                  </span>
                }
              />
            ))}
          </section>
        )}
      </div>
    </div>
  );
}
