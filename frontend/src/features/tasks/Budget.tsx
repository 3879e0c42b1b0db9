import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "@/i18n/format";
import { securityActions, useSecurity } from "@/stores/security";
import { changeDraft, useTaskDraft } from "@/stores/taskDraft";
import type { TaskDetail } from "@/topology";
import { Field, Input, Progress } from "@/ui";
import { limitOf } from "./words";

/** What a task that is being written may cost. Where it says nothing, the default of its agent or of all counts. */
export function BudgetFields() {
  const { t } = useTranslation();
  useEffect(() => void securityActions.readBudgets(), []);
  const agent = useTaskDraft((s) => s.agent),
    budgets = useSecurity((s) => s.budgets);
  const own = budgets?.agents?.[agent],
    tokensByDefault = own?.tokens || budgets?.task.tokens,
    usdByDefault = own?.usd || budgets?.task.usd;
  const unset = {
    tokens: tokensByDefault ? t("tasks.budget.default", { n: formatNumber(tokensByDefault) }) : t("tasks.budget.none"),
    usd: usdByDefault ? t("tasks.budget.default", { n: dollars(usdByDefault) }) : t("tasks.budget.none"),
  };
  const tokens = useTaskDraft((s) => s.tokens),
    usd = useTaskDraft((s) => s.usd);
  const bad = (text: string) => (limitOf(text) === undefined ? t("tasks.budget.bad") : undefined);
  return (
    <>
      <Field label={t("tasks.budget.tokens")} error={bad(tokens)}>
        {(ids) => (
          <Input
            {...ids}
            size="sm"
            inputMode="numeric"
            value={tokens}
            placeholder={unset.tokens}
            onText={(text) => changeDraft({ tokens: text })}
          />
        )}
      </Field>
      <Field label={t("tasks.budget.usd")} error={bad(usd)}>
        {(ids) => (
          <Input
            {...ids}
            size="sm"
            inputMode="decimal"
            value={usd}
            placeholder={unset.usd}
            onText={(text) => changeDraft({ usd: text })}
          />
        )}
      </Field>
    </>
  );
}

const dollars = (n: number) =>
  new Intl.NumberFormat(document.documentElement.lang, {
    style: "currency",
    currency: "USD",
    maximumFractionDigits: 4,
  }).format(n);

/** What a task has cost, and how much of its budget that is. */
export function BudgetFact({ detail }: { detail: TaskDetail }) {
  const { t } = useTranslation();
  const { budget = {}, spent = {} } = detail;
  const tokens = (spent.tokensIn ?? 0) + (spent.tokensOut ?? 0),
    usd = spent.usd ?? 0;
  const bars = [
    ...(budget.tokens
      ? [
          {
            is: tokens,
            of: budget.tokens,
            text: t("tasks.budget.tokensOf", { n: formatNumber(tokens), of: formatNumber(budget.tokens) }),
          },
        ]
      : []),
    ...(budget.usd
      ? [{ is: usd, of: budget.usd, text: t("tasks.budget.usdOf", { n: dollars(usd), of: dollars(budget.usd) }) }]
      : []),
  ];
  return (
    <span className="col gap-1">
      {bars.map(({ is, of, text }) => (
        <span key={text} className="col">
          <span className="num">{text}</span>
          <Progress value={is / of} label={text} full={is >= of} />
        </span>
      ))}
      {!budget.usd && usd > 0 && <span className="num">{dollars(usd)}</span>}
      {budget.seconds ? <span className="num">{t("tasks.budget.seconds", { count: budget.seconds })}</span> : null}
    </span>
  );
}

/** Whether there is something to show of it. */
export const hasBudget = ({ budget, spent }: TaskDetail) =>
  !!(budget?.tokens || budget?.usd || budget?.seconds || spent?.usd);
