import { ChevronDown, ChevronRight } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatCost, formatNumber, formatWhen } from "@/i18n/format";
import { errorMeaning } from "@/i18n/problem";
import { callActions, useCalls } from "@/stores/calls";
import { asApiError, type ApiError } from "@/stores/faults";
import type { CallText, ModelCall } from "@/topology";
import { Badge, Button, ErrorState, Skeleton, StatusBadge } from "@/ui";
import { useAgentName } from "./useAgentName";
import { stopped, tokens, took } from "./words";

/** The latest questions to models, the newest first. */
export function CallList({ calls }: { calls: ModelCall[] }) {
  const { t } = useTranslation();
  const more = useCalls((s) => s.more),
    busy = useCalls((s) => s.busy);
  return (
    <section className="overflow-hidden rounded-[var(--r-2)] border border-line-2" aria-label={t("calls.latest")}>
      <header className="border-b border-line bg-surface-2 px-3 py-1.5">
        <h2>{t("calls.latest")}</h2>
      </header>
      <ul>
        {calls.map((c) => (
          <One key={c.id} call={c} />
        ))}
      </ul>
      {more && (
        <div className="border-t border-line px-2 py-1">
          <Button size="sm" tone="quiet" busy={busy} onClick={() => void callActions.older()}>
            {t("calls.older")}
          </Button>
        </div>
      )}
    </section>
  );
}

function One({ call: c }: { call: ModelCall }) {
  const { t } = useTranslation(),
    name = useAgentName();
  const [open, setOpen] = useState(false);
  const Fold = open ? ChevronDown : ChevronRight;
  const [kind, ...place] = (c.for ?? "").split(":");
  return (
    <li className="border-t border-line first:border-t-0" data-call={c.id}>
      <button
        type="button"
        className="row w-full flex-wrap gap-x-3 gap-y-0.5 px-2 py-1.5 text-left hover:bg-hover"
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <Fold size={14} className="t3" aria-hidden />
        <b className="cut max-w-40">
          <bdi>{name(c.agent) || t("calls.nobody")}</bdi>
        </b>
        <span className="mono cut max-w-56 text-12" translate="no">
          {c.model}
        </span>
        {c.error && (
          <StatusBadge status={stopped(c) ? "idle" : "failed"}>
            {t(stopped(c) ? "calls.canceledOne" : "calls.failedOne")}
          </StatusBadge>
        )}
        {c.elsewhere && <Badge>{t("calls.elsewhere")}</Badge>}
        {c.tries > 1 && <Badge>{t("calls.tries", { count: c.tries })}</Badge>}
        <span className="grow" />
        <span className="cap num">{took(t, c.tookMs)}</span>
        <span className="cap num">{tokens(t, c)}</span>
        <span className="cap num">{c.priced ? formatCost(c.costUsd) : t("calls.costUnknown")}</span>
        <span className="cap num ml-auto">{formatWhen(c.at)}</span>
      </button>
      {open && (
        <div className="col gap-2 px-7 pb-3 text-12">
          {c.error && !stopped(c) && <p className="text-failed select-text">{errorMeaning(t, c.error)}</p>}
          <p className="t2">
            {t("calls.told", { count: c.messages, tools: formatNumber(c.tools) })}
            {place.length > 0 && (
              <> · {t(`calls.for.${kind ?? ""}`, { place: place.join(":"), defaultValue: c.for ?? "" })}</>
            )}
          </p>
          {c.kept ? <Said id={c.id} /> : <p className="t3">{t(c.elsewhere ? "calls.notTold" : "calls.notKept")}</p>}
        </div>
      )}
    </li>
  );
}

/** What was said in a call. It is asked for once it is looked at. */
function Said({ id }: { id: number }) {
  const { t } = useTranslation();
  const [text, setText] = useState<CallText>(),
    [error, setError] = useState<ApiError>(),
    [asked, setAsked] = useState(false);
  if (!asked)
    return (
      <div>
        <Button
          size="sm"
          onClick={() => {
            setAsked(true);
            callActions.text(id).then(setText, (e: unknown) => setError(asApiError(e)));
          }}
        >
          {t("calls.show")}
        </Button>
      </div>
    );
  if (error) return <ErrorState title={t("calls.textFailed")}>{errorMeaning(t, error)}</ErrorState>;
  if (!text) return <Skeleton lines={3} label={t("common.loading")} />;
  const parts: [string, string][] = [
    ...(text.system ? [["system", text.system] as [string, string]] : []),
    ...text.messages.map((m): [string, string] => [m.role, m.text]),
    ...(text.answer ? [["answer", text.answer] as [string, string]] : []),
    ...(text.calls ?? []).map((c): [string, string] => [c.role, c.text]),
  ];
  return (
    <dl
      className="col max-h-96 gap-2 overflow-auto rounded-[var(--r-1)] border border-line p-2"
      tabIndex={0}
      aria-label={t("calls.said")}
    >
      {parts.map(([role, said], i) => (
        <div key={i}>
          <dt className="cap">{t(`calls.role.${role}`, { defaultValue: role })}</dt>
          <dd className="mono whitespace-pre-wrap select-text wrap-anywhere">{said}</dd>
        </div>
      ))}
    </dl>
  );
}
