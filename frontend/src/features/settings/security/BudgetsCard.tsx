import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { formatCost, formatList, formatNumber } from "@/i18n/format";
import { asApiError, type ApiError } from "@/stores/faults";
import { securityActions } from "@/stores/security";
import type { DefaultBudget, DefaultBudgets } from "@/topology";
import { Button, ErrorState, Field, Input, toast } from "@/ui";
import { Card } from "../Card";
import { meaning, numberOf } from "./words";

const asText = (n: number) => (n ? String(n) : "");
const minutes = (b: DefaultBudget) => asText(Math.round((b.seconds / 60) * 100) / 100);
const most = { tokens: 1_000_000_000, usd: 1_000_000, minutes: 10_080 };

/** What a task may cost that says nothing itself, and what happens near the end of it. */
export function BudgetsCard({ budgets }: { budgets: DefaultBudgets }) {
  const { t } = useTranslation();
  const kept = { tokens: asText(budgets.task.tokens), usd: asText(budgets.task.usd), minutes: minutes(budgets.task) };
  const [typed, setTyped] = useState(kept),
    [tried, setTried] = useState(false),
    [busy, setBusy] = useState(false),
    [error, setError] = useState<ApiError>();
  const values = {
    tokens: numberOf(typed.tokens, most.tokens),
    usd: numberOf(typed.usd, most.usd, true),
    minutes: numberOf(typed.minutes, most.minutes, true),
  };
  const save = (e: FormEvent) => {
    e.preventDefault();
    setTried(true);
    const { tokens, usd, minutes: m } = values;
    if (tokens === undefined || usd === undefined || m === undefined) return;
    setBusy(true);
    setError(undefined);
    securityActions
      .putBudgets({ ...budgets, task: { tokens, usd, seconds: Math.round(m * 60) } })
      .then(
        () => toast({ tone: "done", text: t("security.budgets.saved"), closeLabel: t("common.close") }),
        (err: unknown) => setError(asApiError(err)),
      )
      .finally(() => setBusy(false));
  };
  const own = Object.entries(budgets.agents ?? {});
  return (
    <Card title={t("security.budgets.title")}>
      <form onSubmit={save} className="col gap-3 p-3 text-text" noValidate autoComplete="off">
        <p className="t2">{t("security.budgets.what")}</p>
        <div className="flex flex-wrap gap-x-4 gap-y-2">
          {(["tokens", "usd", "minutes"] as const).map((f) => {
            const bad = tried && values[f] === undefined;
            return (
              <div key={f} className="min-w-40 flex-1">
                <Field
                  label={t(`security.budgets.${f}`)}
                  error={bad && t("security.budgets.bad", { most: formatNumber(most[f]) })}
                >
                  {(ids) => (
                    <Input
                      {...ids}
                      value={typed[f]}
                      onText={(v) => setTyped((now) => ({ ...now, [f]: v }))}
                      inputMode="decimal"
                      mono
                      invalid={bad}
                      placeholder={t("security.budgets.unlimited")}
                      after={f === "usd" ? <span className="cap">USD</span> : undefined}
                    />
                  )}
                </Field>
              </div>
            );
          })}
        </div>
        <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
          <dt className="num">{t("security.budgets.soft")}</dt>
          <dd className="t2">{t("security.budgets.softWhy")}</dd>
          <dt className="num">{t("security.budgets.hard")}</dt>
          <dd className="t2">{t("security.budgets.hardWhy")}</dd>
        </dl>
        {own.length > 0 && (
          <div>
            <p className="cap">{t("security.budgets.own")}</p>
            <ul>
              {own.map(([agent, b]) => (
                <li key={agent}>
                  <bdi>{agent}</bdi>
                  {": "}
                  {formatList([
                    ...(b.tokens ? [t("security.budgets.tokensIs", { n: formatNumber(b.tokens) })] : []),
                    ...(b.usd ? [formatCost(b.usd)] : []),
                    ...(b.seconds
                      ? [t("security.budgets.minutesIs", { n: formatNumber(Math.round(b.seconds / 0.6) / 100) })]
                      : []),
                  ])}
                </li>
              ))}
            </ul>
          </div>
        )}
        {error && <ErrorState title={t("security.budgets.failed")}>{meaning(t, error)}</ErrorState>}
        <div>
          <Button
            type="submit"
            busy={busy}
            disabled={typed.tokens === kept.tokens && typed.usd === kept.usd && typed.minutes === kept.minutes}
          >
            {t("security.save")}
          </Button>
        </div>
      </form>
    </Card>
  );
}
