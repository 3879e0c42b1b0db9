import { ArrowLeft, Waypoints } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { formatList, formatWhen } from "@/i18n/format";
import { useBegun } from "@/stores/begun";
import { attempt } from "@/stores/faults";
import { useDrawing } from "@/stores/drawing";
import { useHeldTask, type Held } from "@/stores/heldTask";
import { askAgain, useInbox } from "@/stores/inbox";
import { roomLink } from "@/stores/rooms";
import { showTask } from "@/stores/taskPlace";
import { useUi } from "@/stores/ui";
import type { Question, ToolRule } from "@/topology";
import { Avatar, Button, composing, IconButton, StatusBadge, Textarea } from "@/ui";
import { answer } from "./answer";
import { useFace } from "./useFace";
import { alwaysOf, argumentName, argumentValue, gateOf, headingOf, outcomeOf, subjectOf } from "./words";

type Props = { question: Question; rules: readonly ToolRule[]; onBack?: () => void };

/** One question with everything a person needs to answer it. */
export function QuestionView({ question: q, rules, onBack }: Props) {
  const { t } = useTranslation();
  const face = useFace(q.agent);
  const { code, rest } = subjectOf(q);
  const show = () => { useUi.getState().go("canvas"); useUi.getState().choose({ agents: [q.agent] }); useUi.getState().revealAgents([q.agent]); };
  const held = useHeldTask(q), waits = q.state === "waiting" && !!held?.waiting.length;
  const facts: [string, React.ReactNode, boolean][] = [
    ...rest.map(([k, v]): [string, string, boolean] => [argumentName(t, k), argumentValue(t, q, k, v), !gateOf(q) || k === "branch" || k === "folder" || k === "paths"]),
    ...(q.tool && !gateOf(q) ? [[t("inbox.fact.tool"), q.tool, true] as [string, string, boolean]] : []),
    ...(q.from && q.from !== "shell" && q.from !== "files" && q.from !== "a2a" ? [[t("inbox.fact.from"), q.from, true] as [string, string, boolean]] : []),
    ...(q.task ? [[t("inbox.fact.task"), held ? <button type="button" className="link text-start" title={q.task} onClick={() => showTask(held.id)}>{held.title}</button> : q.task, !held] as [string, React.ReactNode, boolean]] : []),
    ...(q.room ? [[t("inbox.fact.room"), <a key="room" className="link" href={roomLink(q.room)}>{q.room}</a>, false] as [string, React.ReactNode, boolean]] : []),
    [t("inbox.fact.runs"), t(q.from === "a2a" ? "inbox.runsA2A" : q.elsewhere ? "inbox.runsElsewhere" : "inbox.runsHere"), false],
  ];
  return (
    <section className="inbox-view" aria-label={headingOf(t, q)}>
      <div className="head">
        {onBack && <IconButton icon={ArrowLeft} label={t("inbox.back")} onClick={onBack} />}
        <Avatar size="sm" initials={face.initials} colour={face.colour} />
        <b className="cut">{face.name}</b>
        <time className="cap cut" dateTime={q.askedAt}>{t("inbox.askedAt", { when: formatWhen(q.askedAt, true) })}</time>
        <span className="grow" />
        {face.drawn && <Button size="sm" tone="quiet" icon={Waypoints} onClick={show}>{t("inbox.onCanvas")}</Button>}
      </div>
      <div className="scroll inbox-page">
        <h2>{headingOf(t, q)}</h2>
        {waits && <Blocks held={held} />}
        {code && <pre className="code inbox-code" translate="no" tabIndex={0} aria-label={t("inbox.about")}>{code}</pre>}
        <dl className="inbox-facts">{facts.map(([name, value, mono]) => <div key={name}><dt>{name}</dt><dd className={mono ? "mono" : undefined} translate={mono ? "no" : undefined}>{value}</dd></div>)}</dl>
        {q.state === "waiting" ? <Answer question={q} name={face.name} /> : <Outcome question={q} rules={rules} />}
        {q.said && <div className="inbox-before"><div className="cap">{t("inbox.before")}</div><p>{q.said}</p></div>}
      </div>
    </section>
  );
}

/** What stands still until the question is answered. */
function Blocks({ held }: { held: Held }) {
  const { t } = useTranslation();
  const agents = useDrawing((s) => s.topology.agents), names = held.waiting.map((id) => agents.find((a) => a.id === id)?.name || id);
  return <p className="row flex-wrap gap-1.5"><StatusBadge status="waiting">{t("inbox.blocks", { count: names.length })}</StatusBadge><span className="t2">{t("inbox.blocksWho", { count: names.length, names: formatList(names) })}</span></p>;
}

function Answer({ question: q, name }: { question: Question; name: string }) {
  const { t } = useTranslation();
  const [word, setWord] = useBegun(`answer ${q.id}`);
  const busy = useInbox((s) => s.busy !== undefined);
  const id = useId();
  const send = () => { if (word.trim()) void answer(q, q.tool ? "deny" : "once", word.trim()); };
  return (
    <>
      {q.tool && (
        <div className="inbox-answers">
          <Button tone="main" keys="Y" disabled={busy} onClick={() => void answer(q, "once")}>{t("inbox.once")}</Button>
          <Button keys="A" disabled={busy} onClick={() => void answer(q, "always")} title={alwaysOf(t, q, name)}>{t("inbox.always")}</Button>
          <Button tone="quiet" keys="N" disabled={busy} onClick={() => void answer(q, "deny")}>{t("inbox.deny")}</Button>
        </div>
      )}
      <div className="inbox-word">
        <label className="cap" htmlFor={id}>{t(q.tool ? "inbox.orWords" : "inbox.inWords", { name })}</label>
        <Textarea id={id} value={word} onText={setWord} grow={240} rows={3} maxLength={4000} placeholder={t(q.tool ? "inbox.wordExample" : "inbox.answerExample")}
          onKeyDown={(e) => { if (e.key === "Enter" && (e.ctrlKey || e.metaKey) && !composing(e)) { e.preventDefault(); send(); } }} />
        <div className="row"><span className="grow" /><Button size="sm" keys="Mod+Enter" disabled={!word.trim() || busy} onClick={send}>{t(q.tool ? "inbox.denyWith" : "inbox.send")}</Button></div>
      </div>
    </>
  );
}

function Outcome({ question: q, rules }: { question: Question; rules: readonly ToolRule[] }) {
  const { t } = useTranslation();
  const ruled = rules.some((r) => r.agent === q.agent && r.tool === q.tool);
  const status = q.state === "expired" ? "idle" : q.choice === "deny" ? "failed" : "done";
  return (
    <div className="inbox-outcome">
      <span className="row"><StatusBadge status={status}>{outcomeOf(t, q)}</StatusBadge>{q.endedAt && <time className="cap" dateTime={q.endedAt}>{formatWhen(q.endedAt)}</time>}</span>
      {q.word && <p>{t("inbox.youSaid", { word: q.word })}</p>}
      {ruled && q.tool && <span className="row"><span className="cap">{t("inbox.ruled", { tool: q.tool })}</span><Button size="sm" onClick={() => void attempt("answer", () => askAgain(q.agent, q.tool ?? ""))}>{t("inbox.askAgain")}</Button></span>}
    </div>
  );
}
