import { Ellipsis, FileCode, KeyRound, Play, RotateCw, ScrollText, Square, Trash2, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatTime, formatWhen } from "@/i18n/format";
import { attempt } from "@/stores/faults";
import { isUp, localAgentActions } from "@/stores/localAgents";
import { openLog, useLogPlace } from "@/stores/logPlace";
import { plainName, type LocalAgent, type LocalVariable } from "@/topology";
import { Badge, Banner, Button, IconButton, Menu, OwnWords, StatusBadge, Switch } from "@/ui";
import { openTrust } from "../section";
import { AgentLogView } from "./AgentLogView";
import { KeepVariable } from "./KeepVariable";
import { meaning, statusOf, useText } from "./words";

type Props = { agent: LocalAgent; onConfig: () => void; onRemove: () => void };

/** One agent: how its process stands, what it has done and cost, and its log. */
export function AgentCard({ agent: a, onConfig, onRemove }: Props) {
  const { t } = useTranslation();
  const name = plainName(a.name);
  const log = useLogPlace((s) => s.log === a.id);
  const [busy, setBusy] = useState(false),
    [keeping, setKeeping] = useState<LocalVariable>();
  const up = isUp(a);
  const run = (what: "startAgent" | "stopAgent", work: () => Promise<unknown>) => {
    setBusy(true);
    void attempt(what, work).finally(() => setBusy(false));
  };
  return (
    <article className="overflow-hidden rounded-[var(--r-2)] border border-line-2" aria-label={name} data-agent={a.id}>
      <header className="row min-h-11 flex-wrap gap-y-1 bg-surface-2 py-1.5 pr-1.5 pl-3">
        <h2 className="cut" title={name}>
          <bdi>{name}</bdi>
        </h2>
        {a.name !== a.id && (
          <span className="cap mono cut" translate="no">
            {a.id}
          </span>
        )}
        <StatusBadge status={statusOf(a)}>{t(`here.state.${a.state}`)}</StatusBadge>
        {a.source === "file" && <Badge title={t("here.fromFileWhy")}>{t("here.fromFile")}</Badge>}
        <span className="row ml-auto flex-none">
          {up ? (
            <Button
              size="sm"
              icon={Square}
              busy={busy || a.state === "stopping"}
              onClick={() => run("stopAgent", () => localAgentActions.stop(a.id))}
            >
              {t("here.stop")}
            </Button>
          ) : (
            <Button
              size="sm"
              icon={Play}
              busy={busy}
              onClick={() => run("startAgent", () => localAgentActions.start(a.id))}
            >
              {t("here.start")}
            </Button>
          )}
          <IconButton
            icon={RotateCw}
            size="sm"
            label={t("here.restart")}
            disabled={!up || busy}
            onClick={() => run("startAgent", () => localAgentActions.restart(a.id))}
          />
          <Menu
            align="end"
            trigger={<IconButton icon={Ellipsis} size="sm" label={t("here.moreOf", { name: a.name })} />}
            items={[
              ...(a.source === "file" ? [{ label: t("here.replaceConfig"), icon: FileCode, onSelect: onConfig }] : []),
              {
                label: t(log ? "here.hideLog" : "here.showLog"),
                icon: ScrollText,
                onSelect: () => openLog(log ? undefined : a.id),
              },
              { kind: "separator" as const },
              { label: t("here.remove"), icon: Trash2, danger: true, onSelect: onRemove },
            ]}
          />
        </span>
      </header>
      {a.changed && (
        <Banner
          tone="waiting"
          icon={TriangleAlert}
          actions={
            <Button size="sm" busy={busy} onClick={() => run("startAgent", () => localAgentActions.restart(a.id))}>
              {t("here.restart")}
            </Button>
          }
        >
          {t("here.changed")}
        </Banner>
      )}
      <Trouble agent={a} />
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 border-t border-line px-3 py-2.5 text-12">
        {a.model && (
          <>
            <dt className="t3">{t("field.model")}</dt>
            <dd className="mono truncate" title={a.model} translate="no">
              {a.model}
            </dd>
          </>
        )}
        {a.url && (
          <>
            <dt className="t3">{t("here.address")}</dt>
            <dd className="mono truncate" translate="no">
              {a.url}
            </dd>
          </>
        )}
        {a.startedAt && (
          <>
            <dt className="t3">{t("here.since")}</dt>
            <dd className="num">{formatWhen(a.startedAt)}</dd>
          </>
        )}
        <dt className="t3">{t("here.used")}</dt>
        <dd className="num">{useText(t, a.use)}</dd>
        {a.variables.map((v) => (
          <Variable key={v.name} of={v} onSet={() => setKeeping(v)} />
        ))}
      </dl>
      <footer className="row flex-wrap gap-y-2 border-t border-line px-3 py-2">
        <span className="min-w-[min(13rem,100%)] flex-1">
          <Switch
            label={t("here.autostart")}
            checked={a.autostart}
            onChecked={(autostart) => void attempt("settings", () => localAgentActions.change(a.id, { autostart }))}
          />
        </span>
        <Button
          size="sm"
          tone="quiet"
          icon={ScrollText}
          aria-expanded={log}
          onClick={() => openLog(log ? undefined : a.id)}
        >
          {t(log ? "here.hideLog" : "here.showLog")}
        </Button>
      </footer>
      {log && <AgentLogView agent={a} />}
      {keeping && <KeepVariable agent={a} variable={keeping} onClose={() => setKeeping(undefined)} />}
    </article>
  );
}

/** What keeps it from running, or from being of use. */
function Trouble({ agent: a }: { agent: LocalAgent }) {
  const { t } = useTranslation();
  const waits = a.state === "restarting" && a.nextAt;
  if (!a.problem || a.state === "running")
    return !a.inTeam ? <Banner icon={TriangleAlert}>{t("here.notInTeam", { id: a.id })}</Banner> : null;
  const reason =
    typeof a.problem.details?.reason === "string"
      ? t(`here.fault.${a.problem.details.reason}`, { defaultValue: "" })
      : "";
  return (
    <div className="col gap-1 border-t border-line bg-failed-soft px-3 py-2.5" role="status">
      <p>
        <b>{t(waits ? "here.died" : "here.cannotRun")}</b>{" "}
        {reason ||
          (waits
            ? t("here.again", { time: formatTime(a.nextAt ?? "") })
            : a.problem.code === "VALIDATION_ERROR"
              ? t("here.lacks")
              : t("here.seeLog"))}
      </p>
      {reason && a.problem.details?.reason === "waits_for_trust" && (
        <span>
          <Button size="sm" onClick={() => openTrust("local")}>
            {t("trust.open")}
          </Button>
        </span>
      )}
      {meaning(t, a.problem) !== reason && <OwnWords summary={t("here.details")} text={meaning(t, a.problem)} />}
    </div>
  );
}

function Variable({ of: v, onSet }: { of: LocalVariable; onSet: () => void }) {
  const { t } = useTranslation();
  const settable = v.from === "missing" || v.from === "kept";
  return (
    <>
      <dt className="t3 mono self-center truncate" title={v.name} translate="no">
        {v.name}
      </dt>
      <dd className="row gap-2">
        {v.from !== "missing" && <KeyRound size={12} className="t3" aria-hidden />}
        <span className={v.from === "missing" ? "text-failed" : undefined}>{t(`here.from.${v.from}`)}</span>
        {settable && (
          <Button size="sm" tone="quiet" aria-label={t("here.setIt", { name: v.name })} onClick={onSet}>
            {t(v.from === "missing" ? "here.set" : "here.changeIt")}
          </Button>
        )}
      </dd>
    </>
  );
}
