import { RefreshCw } from "lucide-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { formatBytes, formatCost, formatNumber } from "@/i18n/format";
import { errorMeaning } from "@/i18n/problem";
import { callActions, useCalls } from "@/stores/calls";
import { attempt } from "@/stores/faults";
import type { AgentUse, Diagnostics } from "@/topology";
import { Button, EmptyState, ErrorState, Skeleton, Switch } from "@/ui";
import { CallList } from "./CallList";
import { useAgentName } from "./useAgentName";
import { lasted, tokens, took } from "./words";

/** What the program uses, and what agents have asked models: how long it took, what it used and cost, why it failed. */
export function CallsSection() {
  const { t } = useTranslation();
  const { stand, calls, agent, busy, error } = useCalls();
  useEffect(() => {
    void callActions.load();
  }, []);
  const again = (
    <Button size="sm" icon={RefreshCw} busy={busy} onClick={() => void callActions.load()}>
      {t("calls.refresh")}
    </Button>
  );
  if (error && !stand)
    return (
      <ErrorState title={t("calls.failed")} actions={again}>
        {errorMeaning(t, error)}
      </ErrorState>
    );
  if (!stand) return <Skeleton lines={6} label={t("common.loading")} />;
  return (
    <>
      <div className="row flex-wrap gap-y-2">
        <p className="t2 grow">{t("calls.what")}</p>
        {again}
      </div>
      {error && <ErrorState title={t("calls.failed")}>{errorMeaning(t, error)}</ErrorState>}
      <Program of={stand.program} />
      <Switch
        label={t("calls.keep")}
        hint={t("calls.keepWhy")}
        checked={stand.keepsTexts}
        onChecked={(on) => void attempt("settings", () => callActions.keepTexts(on))}
      />
      {stand.agents.length === 0 ? (
        <EmptyState title={t("calls.none")}>{t("calls.noneWhy")}</EmptyState>
      ) : (
        <>
          <Agents agents={stand.agents} chosen={agent} />
          <CallList calls={calls} />
        </>
      )}
    </>
  );
}

function Program({ of: p }: { of: Diagnostics["program"] }) {
  const { t } = useTranslation();
  const facts: [string, string][] = [
    [t("calls.memory"), t("calls.memoryIs", { held: formatBytes(p.memory), live: formatBytes(p.live) })],
    [
      t("calls.cpu"),
      t("calls.cpuIs", { time: took(t, p.cpuMs), share: formatNumber(Math.round(p.cpuShare * 1000) / 10) }),
    ],
    [t("calls.up"), lasted(t, p.uptimeMs)],
    [t("calls.tasks"), formatNumber(p.goroutines)],
  ];
  return (
    <section className="overflow-hidden rounded-[var(--r-2)] border border-line-2" aria-label={t("calls.program")}>
      <header className="border-b border-line bg-surface-2 px-3 py-1.5">
        <h2>{t("calls.program")}</h2>
      </header>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5 px-3 py-2.5">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="t3">{name}</dt>
            <dd className="num">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** On a phone there is no room for it; each call says it. */
const wideOnly = "num phone:hidden";

function Agents({ agents, chosen }: { agents: AgentUse[]; chosen: string }) {
  const { t } = useTranslation(),
    name = useAgentName();
  return (
    <section
      className="overflow-x-auto rounded-[var(--r-2)] border border-line-2"
      aria-label={t("calls.agents")}
      tabIndex={0}
    >
      <table className="table">
        <thead>
          <tr>
            {(["agent", "count", "failures", "time", "tokens", "cost"] as const).map((c) => (
              <th key={c} scope="col" className={c === "agent" ? undefined : c === "time" ? wideOnly : "num"}>
                {t(`calls.${c}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {agents.map((a) => (
            <tr key={a.agent} aria-selected={a.agent === chosen || undefined}>
              <td>
                <button
                  type="button"
                  className="cut max-w-48 underline decoration-dotted underline-offset-2"
                  aria-pressed={a.agent === chosen}
                  title={t("calls.only", { agent: name(a.agent) })}
                  onClick={() => void callActions.load(a.agent === chosen ? "" : a.agent)}
                >
                  <bdi>{name(a.agent) || t("calls.nobody")}</bdi>
                </button>
              </td>
              <td className="num" title={a.missed ? t("calls.missed", { count: formatNumber(a.missed) }) : undefined}>
                {formatNumber(a.calls)}
                {a.missed ? ` (+${formatNumber(a.missed)})` : ""}
              </td>
              <td className={a.failed ? "num text-failed" : "num"}>{formatNumber(a.failed)}</td>
              <td className={wideOnly}>{took(t, a.calls ? a.tookMs / a.calls : 0)}</td>
              <td className="num phone:whitespace-normal">{tokens(t, a)}</td>
              <td
                className="num"
                title={a.unpriced ? t("calls.unpriced", { count: formatNumber(a.unpriced) }) : undefined}
              >
                {a.priced ? `${formatCost(a.costUsd)}${a.unpriced ? " +" : ""}` : t("calls.costUnknown")}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
