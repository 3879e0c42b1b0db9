import { Infinity as Always } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatWhen } from "@/i18n/format";
import { agentNameOf } from "@/stores/agentNames";
import { attempt } from "@/stores/faults";
import { askAgain, useAnswering, useEnded } from "@/stores/inbox";
import type { Question, StandingPermission, ToolRule } from "@/topology";
import { Button, Checkbox, EmptyState, marked, markedLine, RadioGroup } from "@/ui";
import { answer } from "./answer";

const exactly = "";

/** What was asked for shows, also where it opens below the window's end. */
const intoView = (e: HTMLElement | null) => e?.scrollIntoView({ block: "nearest" });

/** What is allowed from now on, and until when. It takes more than one key to allow it. */
export function StandingForm({ question: q, disabled }: { question: Question; disabled: boolean }) {
  const { t } = useTranslation();
  const offer = q.offer,
    busy = useAnswering(q.id);
  const [until, setUntil] = useState<StandingPermission["until"]>(
    (offer?.until[0] as StandingPermission["until"] | undefined) ?? "today",
  );
  const [starts, setStarts] = useState(exactly),
    [caller, setCaller] = useState(false);
  if (!offer) return null;
  const choices = [
    ...(offer.exact
      ? [{ value: exactly, label: t("inbox.standing.exact") }]
      : [{ value: exactly, label: t("inbox.standing.tool", { tool: q.tool }) }]),
    ...(offer.starts ?? []).map((words) => ({ value: words, label: t("inbox.standing.starts", { words }) })),
  ];
  const allow = () =>
    void answer(q, "always", undefined, { until, starts: starts || undefined, caller: caller || undefined });
  return (
    <div className="inbox-standing" role="group" aria-label={t("inbox.standing.title")} ref={intoView}>
      <RadioGroup label={t("inbox.standing.what")} value={starts} options={choices} onValue={setStarts} />
      <RadioGroup
        label={t("inbox.standing.end")}
        value={until}
        options={(offer.until as StandingPermission["until"][]).map((value) => ({
          value,
          label: t(`inbox.standing.until.${value}`),
        }))}
        onValue={setUntil}
      />
      {q.caller && (
        <Checkbox
          checked={caller}
          onChecked={setCaller}
          label={t("inbox.standing.caller", { name: marked(q.callerName ?? q.caller) })}
        />
      )}
      {q.workspace && <p className="cap">{t("inbox.standing.where", { folder: marked(q.workspace) })}</p>}
      <div className="row">
        <Button disabled={disabled || busy || (!!q.caller && !caller)} onClick={allow}>
          {t("inbox.standing.allow")}
        </Button>
      </div>
    </div>
  );
}

/** Every standing permission, with how often it was used. */
export function StandingList() {
  const { t } = useTranslation();
  const { rules, state } = useEnded();
  return (
    <div className="rows scroll" role="group" aria-label={t("inbox.tab.standing")}>
      {state === "ready" && !rules.length && (
        <EmptyState icon={Always} title={t("inbox.standing.none")}>
          {t("inbox.standing.noneWhy")}
        </EmptyState>
      )}
      {rules.map((r) => (
        <Rule key={r.id} rule={r} />
      ))}
    </div>
  );
}

function Rule({ rule: r }: { rule: ToolRule }) {
  const { t } = useTranslation();
  const what = r.command
    ? markedLine(r.command)
    : r.starts
      ? t("inbox.standing.startsShort", { words: r.starts })
      : r.exact
        ? t("inbox.standing.exactShort", { tool: r.tool })
        : [r.tool, r.kind].filter(Boolean).join(" · ");
  const end =
    r.until === "today" && r.ends
      ? t("inbox.standing.ends", { when: formatWhen(r.ends, true) })
      : t(`inbox.standing.until.${r.until}`);
  return (
    <div className="inbox-rule">
      <b className="mono">{what}</b>
      <span className="cap">
        {[
          marked(agentNameOf(r.agent)),
          r.from,
          r.workspace && marked(r.workspace),
          r.callerName && t("inbox.standing.of", { name: marked(r.callerName) }),
        ]
          .filter(Boolean)
          .join(" · ")}
      </span>
      <span className="row">
        <span className="cap grow">{[end, t("inbox.standing.uses", { count: r.uses })].join(" · ")}</span>
        <Button size="sm" onClick={() => void attempt("answer", () => askAgain(r.id))}>
          {t("inbox.standing.revoke")}
        </Button>
      </span>
    </div>
  );
}
