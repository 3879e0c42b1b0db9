import { Cpu } from "lucide-react";
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { modelsOf, useModels } from "@/stores/models";
import type { PlanFound } from "@/topology";
import { Checkbox, Combobox, Field, Input, Select, Textarea } from "@/ui";
import { dollars, fits, type Draft } from "./order";

type Props = {
  draft: Draft;
  worker: PlanFound;
  put: (change: Partial<Draft>) => void;
  said: (field: string) => string | undefined;
};

/** The planner's model: one of the hub's own, or typed. */
function PlannerModel({ draft, put }: Pick<Props, "draft" | "put">) {
  const { t } = useTranslation();
  const { state, load, models } = useModels();
  useEffect(() => {
    if (state === "none") void load();
  }, [state, load]);
  const options = useMemo(
    () => modelsOf(models, "local").map((m) => ({ value: m.id, label: m.name, group: m.provider })),
    [models],
  );
  return (
    <Field label={t("plan.run.plannerModel")} hint={t("plan.run.plannerModelHint")}>
      {(ids) => (
        <Combobox
          {...ids}
          icon={Cpu}
          value={draft.model}
          options={options}
          onText={(model) => put({ model })}
          onOpen={() => void load()}
          emptyText={state === "loading" ? t("common.loading") : t("inspector.noModels")}
          moreText={(n, all) => t("common.someOf", { n, all })}
          openLabel={t("inspector.showModels")}
        />
      )}
    </Field>
  );
}

/** What few need: how the worker is spoken with, what it may ask and see, and what counts where it tells nothing. */
export function RunMore({ draft, worker, put, said }: Props) {
  const { t } = useTranslation();
  const acp = draft.mode === "acp",
    unlike = !fits(worker, draft.mode);
  const lacks = acp
    ? t("plan.run.lacks", { command: worker.acp.command, install: worker.acp.install })
    : (worker.problem ?? t("plan.run.lacks", { command: worker.command, install: worker.install }));
  const needed = unlike || acp || !!draft.env || !!draft.tryUsd || !!said("env");
  const [open, setOpen] = useState(needed);
  if (needed && !open) setOpen(true);
  return (
    <details className="plan-run-more" open={open} onToggle={(e) => setOpen(e.currentTarget.open)}>
      <summary className="cap">{t("plan.run.more")}</summary>
      <div className="col gap-3">
        <Field label={t("plan.run.mode")} hint={t(`plan.run.modeHint.${draft.mode}`)} error={unlike && lacks}>
          {(ids) => (
            <Select
              {...ids}
              value={draft.mode}
              onValue={(mode) => put({ mode, worker: worker.kind as Draft["worker"] })}
              options={(["exec", "acp"] as const).map((value) => ({ value, label: t(`plan.run.modes.${value}`) }))}
            />
          )}
        </Field>
        <Checkbox
          label={t("plan.run.askTools")}
          hint={said("askTools") ?? t(acp ? "plan.run.askToolsHint" : "plan.run.askToolsAcp")}
          checked={acp && draft.askTools}
          disabled={!acp}
          onChecked={(askTools) => put({ askTools })}
        />
        <PlannerModel draft={draft} put={put} />
        <Field label={t("plan.run.env")} hint={t("plan.run.envHint")} error={said("env")}>
          {(ids) => (
            <Textarea
              {...ids}
              mono
              rows={2}
              grow={120}
              value={draft.env}
              onText={(env) => put({ env })}
              maxLength={4000}
              spellCheck={false}
              autoCapitalize="off"
            />
          )}
        </Field>
        <Field label={t("plan.run.tryUsd")} hint={t("plan.run.tryUsdHint")} error={said("tryUsd")}>
          {(ids) => (
            <Input
              {...ids}
              inputMode="decimal"
              value={draft.tryUsd}
              onText={(text) => put({ tryUsd: dollars(text) })}
            />
          )}
        </Field>
      </div>
    </details>
  );
}
