import { ChevronRight, MessageSquareOff, RotateCw, ShieldCheck, Trash2 } from "lucide-react";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { fieldName } from "@/i18n/problem";
import { useRead } from "@/stores/read";
import { workerOf } from "@/stores/taskDraft";
import { countUnfinished } from "@/stores/tasks";
import { useTeam } from "@/stores/team";
import { findAgent, type Deletion, type Loss, type Preview } from "@/topology";
import { Button, Checkbox } from "@/ui";
import { agentName, type Teams } from "@/flow";
import { agree, hasAgreed, loadPreview, useReview, waitingIn } from "./store";
import { TrustNote } from "./TrustNote";
import { recreatedText } from "./words";

/** What the person should know before applying: deletions to agree to, the restart, what is lost. */
export function Notes({
  preview: p,
  teams,
  fixed,
}: {
  preview: Preview;
  teams: Teams;
  /** It is on its way or over: to read only. */ fixed?: boolean;
}) {
  const allowing = useReview((s) => s.allowing);
  // With the apply, the hub has allowed what was ticked.
  const waiting = waitingIn(p).filter((a) => !fixed || allowing[a.agent] !== a.hash);
  return (
    <fieldset className="review-notes" tabIndex={waiting.length ? 0 : undefined}>
      {p.deletions.length > 0 && <Deletions preview={p} teams={teams} fixed={fixed} />}
      {waiting.length > 0 && <TrustNote preview={p} waiting={waiting} fixed={fixed} />}
      {(p.sends || p.stale) && <RestartNote preview={p} />}
      {p.restart.recreated && <RecreatedNote restart={p.restart} />}
      {p.commentsLost && <CommentsNote />}
      {p.losses.length > 0 && <Losses losses={p.losses} teams={teams} />}
    </fieldset>
  );
}

function RestartNote({ preview: p }: { preview: Preview }) {
  const { t } = useTranslation();
  const { needed, seconds } = p.restart;
  if (!needed) return null; // the footer shows it
  return (
    <div className="review-note">
      <RotateCw size={14} className="t2" aria-hidden />
      <b>{seconds ? t("review.restart", { seconds }) : t("review.restartSome")}</b>
      <p className="cap">{t("review.restartWhy")}</p>
    </div>
  );
}

function RecreatedNote({ restart }: { restart: Preview["restart"] }) {
  const { t } = useTranslation();
  return (
    <div className="review-note">
      <RotateCw size={14} className="text-waiting" aria-hidden />
      <b>{recreatedText(t, restart)}</b>
      <p className="cap">{t("common.sentences", { a: t("review.recreatedWhy"), b: t("review.recreatedFix") })}</p>
    </div>
  );
}

function CommentsNote() {
  const { t } = useTranslation();
  return (
    <div className="review-note">
      <MessageSquareOff size={14} className="text-waiting" aria-hidden />
      <b>{t("review.commentsLost")}</b>
      <p className="cap">{t("review.commentsLostWhy")}</p>
    </div>
  );
}

function Deletions({ preview: p, teams, fixed }: { preview: Preview; teams: Teams; fixed?: boolean }) {
  const { t } = useTranslation();
  const agreed = useReview((s) => hasAgreed(s));
  const possible = p.deletions.every((d) => d.possible),
    only = p.deletions.length === 1 ? p.deletions[0] : undefined;
  return (
    <section className="review-note review-note--del" aria-label={t("review.deletes", { count: p.deletions.length })}>
      <Trash2 size={14} className="text-del" aria-hidden />
      <b>{t("review.deletes", { count: p.deletions.length })}</b>
      <ul className="col gap-2">
        {p.deletions.map((d) => (
          <DeletionItem key={d.agent} deletion={d} teams={teams} fixed={fixed} />
        ))}
        {possible && (
          <li className="review-agree">
            <Checkbox
              checked={agreed}
              disabled={fixed}
              onChecked={agree}
              label={
                <b>
                  {only
                    ? t("review.agreeOne", { name: only.name || only.agent })
                    : t("review.agree", { count: p.deletions.length })}
                </b>
              }
            />
          </li>
        )}
      </ul>
    </section>
  );
}

function DeletionItem({ deletion: d, teams, fixed }: { deletion: Deletion; teams: Teams; fixed?: boolean }) {
  const { t } = useTranslation();
  const base = teams.before && findAgent(teams.before, d.agent);
  const worker = workerOf(d.agent);
  const { data: tasks } = useRead({
    key: ["unfinished", worker],
    when: !fixed,
    read: () => countUnfinished(worker),
  });
  const goes = [
    d.connections.length && t("review.goes.connections", { count: d.connections.length }),
    d.bindings && t("review.goes.bindings", { count: d.bindings }),
    d.broadcast && t("review.goes.broadcast", { count: d.broadcast }),
    d.jobs && t("review.goes.jobs", { count: d.jobs.length, names: d.jobs.join(t("list.comma")) }),
    d.jobsUnread && t("review.goes.jobsUnread"),
  ].filter(Boolean);
  const keep = async () => {
    const place = teams.before?.layout?.[d.agent];
    if (!base) return;
    useTeam.getState().edit(`edit.addAgent|${base.name ?? base.id}`, (x) =>
      findAgent(x, base.id)
        ? x
        : {
            ...x,
            agents: [...x.agents, { ...base, connections: base.connections?.filter((c) => findAgent(x, c.targetId)) }],
            layout: place ? { ...x.layout, [base.id]: place } : x.layout,
          },
    );
    await loadPreview();
  };
  return (
    <li className="col gap-1">
      <span className="row">
        <b className="cut">{d.name || agentName(teams, d.agent)}</b>
        <span className="cap mono cut">{d.agent}</span>
      </span>
      {!d.possible && (
        <span className="text-failed">
          {t("common.sentences", {
            a: t("review.cannotDelete"),
            b: d.cause ? t(`review.cannotDeleteWhy.${d.cause}`) : d.reason,
          })}
        </span>
      )}
      <span className="cap">
        {[
          ...(goes.length ? [t("review.goes.with", { what: goes.join(t("list.comma")) })] : []),
          ...(goes.length || d.byGateway ? [] : [t("review.goes.nothing")]),
          ...(d.jobs ? [t("review.jobsBack")] : []),
          ...(d.byGateway ? [t("review.sessionsGo")] : []),
          ...(tasks?.running ? [t("review.tasksRun", { count: tasks.running })] : []),
          ...(tasks?.waiting ? [t("review.tasksWait", { count: tasks.waiting })] : []),
          t("review.filesStay"),
        ].reduce((a, b) => t("common.sentences", { a, b }))}
      </span>
      {d.workspace && (
        <span className="cap mono cut" title={d.workspace}>
          {d.workspace}
        </span>
      )}
      {base && !teams.after?.agents.some((a) => a.id === d.agent) && (
        <span>
          <Button size="sm" disabled={fixed} onClick={() => void keep()}>
            {t("review.keep", { name: d.name || d.agent })}
          </Button>
        </span>
      )}
    </li>
  );
}

/** Fields that agents can learn of by AGENTS.md and SOUL.md. */
const untold = new Set(["role", "persona", "connections"]);

function Losses({ losses, teams }: { losses: Loss[]; teams: Teams }) {
  const { t } = useTranslation();
  const lossPlace = (l: Loss) => {
    const who = l.agent ? agentName(teams, l.agent) : t("review.team");
    return l.field
      ? t("review.lossAt", { who, field: t(`review.lossField.${l.field}`, { defaultValue: fieldName(t, l.field) }) })
      : who;
  };
  return (
    <Fold icon={<ShieldCheck size={14} className="t2" aria-hidden />} title={t("review.losses")}>
      <p className="cap">{t("review.lossesWhy")}</p>
      {losses.some((l) => untold.has(l.field ?? "")) && <p className="cap">{t("review.lossesTell")}</p>}
      <ul className="cap">
        {losses.map((l, i) => (
          <li key={i} className="py-1">
            <b className="t2">{lossPlace(l)}</b>
            <br />
            {t(`review.loss.${l.reason}`)}
          </li>
        ))}
      </ul>
    </Fold>
  );
}

/** A note that opens on demand. */
export function Fold({
  icon,
  title,
  children,
  open: first = false,
}: {
  icon: ReactNode;
  title: string;
  children: ReactNode;
  open?: boolean;
}) {
  const [open, setOpen] = useState(first),
    note = useRef<HTMLDivElement>(null);
  // The notes scroll: what opens below their edge is brought into view, or else nothing would seem to happen.
  useEffect(() => {
    if (open) note.current?.scrollIntoView({ block: "nearest" });
  }, [open]);
  return (
    <div
      ref={note}
      className="review-note"
      onKeyDown={(e) => {
        if (e.key !== "Escape" || !open) return;
        e.preventDefault(); // Escape goes back to the canvas otherwise
        setOpen(false);
      }}
    >
      {icon}
      <button type="button" className="review-fold" aria-expanded={open} onClick={() => setOpen(!open)}>
        <b>{title}</b>
        <ChevronRight size={14} aria-hidden className={open ? "rotate-90" : undefined} />
      </button>
      {open && <div>{children}</div>}
    </div>
  );
}
