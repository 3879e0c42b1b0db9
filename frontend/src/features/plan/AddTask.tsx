import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { useState } from "react";
import { useBegun } from "@/stores/begun";
import { planActions, usePlan } from "@/stores/plans";
import type { PlanOperation } from "@/topology";
import { Button, Dialog, Field, Input, Textarea } from "@/ui";
import { lines } from "./words";

/**
 * Adds a task and has its title written in the plan. In a running plan it could start before the person has written
 * what it is about, so there it is written first.
 */
export function addTask(t: TFunction, at: Partial<PlanOperation> = {}): void {
  if (usePlan.getState().whole?.work?.state === "working") usePlan.setState({ adding: at });
  else void planActions.add({ title: t("plan.newTask"), ...at }, t("plan.did.add"));
}

/** Writes a task of a running plan before it is added. What was written stays until then, also after a reload. */
export function AddTaskDialog({ plan, at }: { plan: string; at: Partial<PlanOperation> }) {
  const { t } = useTranslation();
  const [title, setTitle] = useBegun(`task title ${plan}`),
    [description, setDescription] = useBegun(`task description ${plan}`),
    [criteria, setCriteria] = useBegun(`task criteria ${plan}`);
  const [busy, setBusy] = useState(false);
  const close = () => usePlan.setState({ adding: undefined });
  const add = async () => {
    if (!title.trim() || busy) return;
    setBusy(true);
    const added = await planActions.add(
      { ...at, title: title.trim(), description: description.trim(), acceptance_criteria: lines(criteria) },
      t("plan.did.add"),
    );
    setBusy(false);
    if (!added) return;
    for (const set of [setTitle, setDescription, setCriteria]) set("");
    close();
  };
  return (
    <Dialog
      open
      onOpen={close}
      title={t("plan.addTask")}
      width={480}
      footer={
        <>
          <Button onClick={close}>{t("common.cancel")}</Button>
          <Button tone="main" busy={busy} disabled={!title.trim()} onClick={() => void add()}>
            {t("plan.addTask")}
          </Button>
        </>
      }
    >
      <form
        className="col gap-3"
        onSubmit={(e) => {
          e.preventDefault();
          void add();
        }}
      >
        <p className="t2 m-0">{t("plan.addWhileRunning")}</p>
        <Field label={t("plan.field.title")}>
          {(ids) => <Input {...ids} autoFocus value={title} onText={setTitle} maxLength={500} />}
        </Field>
        <Field label={t("plan.field.description")}>
          {(ids) => <Textarea {...ids} rows={3} grow={240} value={description} onText={setDescription} />}
        </Field>
        <Field label={t("plan.field.criteria")} hint={t("plan.field.criteriaHint")}>
          {(ids) => <Textarea {...ids} rows={2} grow={240} value={criteria} onText={setCriteria} />}
        </Field>
      </form>
    </Dialog>
  );
}
