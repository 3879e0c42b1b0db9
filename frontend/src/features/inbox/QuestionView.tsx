import type { TFunction } from "i18next";
import { ArrowLeft, Waypoints } from "lucide-react";
import { useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatList, formatWhen } from "@/i18n/format";
import { sandboxText } from "@/i18n/sandbox";
import { agentNameOf } from "@/stores/agentNames";
import { useBegun } from "@/stores/begun";
import { useHeldTask, type Held } from "@/stores/heldTask";
import { setRead, useAnswering, useInbox, useSettled } from "@/stores/inbox";
import { roomLink } from "@/stores/rooms";
import { useSandbox } from "@/stores/sandbox";
import { showTask } from "@/stores/taskPlace";
import { useUi } from "@/stores/ui";
import type { Question } from "@/topology";
import { Avatar, Button, composing, IconButton, keysOf, Marked, marked, StatusBadge, Textarea, useSeen } from "@/ui";
import { answer, draftOf } from "./answer";
import { GatewayAnswer } from "./GatewayAnswer";
import { useFace } from "./useFace";
import { StandingForm } from "./Standing";
import {
  afterDenial,
  argumentName,
  argumentValue,
  effectOf,
  folderOf,
  gateOf,
  headingOf,
  needsFolder,
  outcomeOf,
  runsHere,
  subjectOf,
} from "./words";

type Props = { question: Question; onBack?: () => void };

/** What a gate of a plan names that is no prose. */
const monoOfGate = new Set(["branch", "into", "folder", "files", "paths", "test"]);

/** From so many characters on, a text says how long it is. */
const long = 1000;

/** One question with everything a person needs to answer it. */
export function QuestionView({ question: q, onBack }: Props) {
  const { t } = useTranslation();
  const face = useFace(q.agent, q.gateway?.name);
  const { code, rest } = subjectOf(q);
  const view = useRef<HTMLElement>(null);
  useSeen(view, q.id, () => setRead(q.id));
  const runs = runsHere(q),
    known = useSandbox(runs),
    sandbox = runs ? known : undefined;
  const show = () => {
    useUi.getState().go("canvas");
    useUi.getState().choose({ agents: [q.agent] });
    useUi.getState().revealAgents([q.agent]);
  };
  const held = useHeldTask(q),
    waits = q.state === "waiting" && !!held?.waiting.length;
  const folder = folderOf(q);
  const effect = effectOf(t, q);
  const facts: [string, React.ReactNode, boolean][] = [
    ...(effect ? [[t("inbox.fact.effect"), effect, false] as [string, React.ReactNode, boolean]] : []),
    ...(needsFolder(q)
      ? [
          [
            t("inbox.fact.folder"),
            folder ? <Value key="workspace" text={folder} /> : t("inbox.noFolder"),
            !!folder,
          ] as [string, React.ReactNode, boolean],
        ]
      : []),
    ...rest.map(([k, v]): [string, React.ReactNode, boolean] => [
      argumentName(t, k),
      <Value key={k} text={argumentValue(t, q, k, v)} />,
      !gateOf(q) || monoOfGate.has(k),
    ]),
    ...(q.tool && !gateOf(q) && !q.gateway
      ? [[t("inbox.fact.tool"), <Value key="tool" text={q.tool} />, true] as [string, React.ReactNode, boolean]]
      : []),
    ...(q.from && q.from !== "shell" && q.from !== "files" && q.from !== "a2a"
      ? [[t("inbox.fact.from"), <Value key="from" text={q.from} />, true] as [string, React.ReactNode, boolean]]
      : []),
    ...(q.task
      ? [
          [
            t("inbox.fact.task"),
            held ? (
              <button type="button" className="link text-start" title={q.task} onClick={() => showTask(held.id)}>
                <Marked text={held.title} />
              </button>
            ) : (
              q.task
            ),
            !held,
          ] as [string, React.ReactNode, boolean],
        ]
      : []),
    ...(q.room
      ? [
          [
            t("inbox.fact.room"),
            <a key="room" className="link" href={roomLink(q.room)}>
              {q.room}
            </a>,
            false,
          ] as [string, React.ReactNode, boolean],
        ]
      : []),
    ...(q.callerName
      ? [
          [t("inbox.fact.caller"), <Value key="caller" text={q.callerName} />, false] as [
            string,
            React.ReactNode,
            boolean,
          ],
        ]
      : []),
    ...(sandbox
      ? [
          [
            t("common.sandbox.label"),
            <span key="sandbox" className={sandbox.active ? undefined : "text-waiting"}>
              {sandboxText(t, sandbox)}
            </span>,
            false,
          ] as [string, React.ReactNode, boolean],
        ]
      : []),
    ...(q.gateway ? gatewayFacts(t, q.gateway) : []),
    ...(q.gateway ? [] : [whereOf(t, q)]),
  ];
  return (
    <section ref={view} className="inbox-view" aria-label={headingOf(t, q)}>
      <div className="head">
        {onBack && <IconButton icon={ArrowLeft} label={t("inbox.back")} onClick={onBack} />}
        <Avatar size="sm" initials={face.initials} color={face.color} />
        <b className="cut">{face.name}</b>
        <time className="cap cut" dateTime={q.askedAt}>
          {t("inbox.askedAt", { when: formatWhen(q.askedAt, true) })}
        </time>
        <span className="grow" />
        {face.drawn && (
          <Button size="sm" tone="quiet" icon={Waypoints} onClick={show}>
            {t("inbox.onCanvas")}
          </Button>
        )}
      </div>
      <div className="scroll inbox-page">
        <h2>{headingOf(t, q)}</h2>
        {waits && <Blocks held={held} />}
        {code && (
          <pre className="code inbox-code" translate="no" tabIndex={0} aria-label={t("inbox.about")}>
            <Marked text={code} />
            <span className="inbox-end" data-end="code" />
          </pre>
        )}
        {code.length > long && (
          <p className="cap">{t("inbox.length", { count: code.length, lines: code.split("\n").length })}</p>
        )}
        <dl className="inbox-facts">
          {facts.map(([name, value, mono]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd className={mono ? "mono" : undefined} translate={mono ? "no" : undefined}>
                {value}
              </dd>
            </div>
          ))}
        </dl>
        <span className="inbox-end" data-end="facts" />
        {q.state !== "waiting" ? (
          <Outcome question={q} />
        ) : q.gateway ? (
          <GatewayAnswer question={q} at={q.gateway} />
        ) : (
          <Answer question={q} name={face.name} held={held} />
        )}
        {q.said && (
          <div className="inbox-before">
            <div className="cap">{t("inbox.before")}</div>
            <p>
              <Marked text={q.said} />
            </p>
          </div>
        )}
      </div>
    </section>
  );
}

type Fact = [name: string, value: React.ReactNode, mono: boolean];

const whereOf = (t: TFunction, q: Question): Fact => [
  t("inbox.fact.runs"),
  t(q.from === "a2a" ? "inbox.runsA2A" : q.elsewhere ? "inbox.runsElsewhere" : "inbox.runsHere"),
  false,
];

/** Where it waits, and how long. */
function gatewayFacts(t: TFunction, at: NonNullable<Question["gateway"]>): Fact[] {
  return [
    [t("inbox.fact.gateway"), marked(at.name), false],
    ...(at.session ? [[t("inbox.fact.session"), <Value key="session" text={at.session} />, true] as Fact] : []),
    ...(at.expiresAt ? [[t("inbox.fact.expires"), formatWhen(at.expiresAt, true), false] as Fact] : []),
  ];
}

/** A value in full, in a box that scrolls where it is long. */
function Value({ text }: { text: string }) {
  return text.length > long ? (
    <div className="inbox-value" tabIndex={0}>
      <Marked text={text} />
      <span className="inbox-end" data-end={text.slice(0, 40)} />
    </div>
  ) : (
    <Marked text={text} />
  );
}

/** What stands still until the question is answered. */
function Blocks({ held }: { held: Held }) {
  const { t } = useTranslation();
  const names = held.waiting.map((id) => marked(agentNameOf(id)));
  return (
    <p className="row flex-wrap gap-1.5">
      <StatusBadge status="waiting">{t("inbox.blocks", { count: names.length })}</StatusBadge>
      <span className="t2">{t("inbox.blocksWho", { count: names.length, names: formatList(names) })}</span>
    </p>
  );
}

function Answer({ question: q, name, held }: { question: Question; name: string; held?: Held }) {
  const { t } = useTranslation();
  const [word, setWord] = useBegun(draftOf(q));
  const settled = useSettled(q.id),
    busy = useAnswering(q.id) || !settled,
    read = useInbox((s) => s.read === q.id);
  const [more, setMore] = useState(false);
  const id = useId();
  const send = () => {
    if (word.trim()) void answer(q, q.tool ? "deny" : "once", word.trim());
  };
  return (
    <>
      {q.tool && (
        <div className="inbox-answers">
          <Button
            tone="main"
            keys={keysOf("allowOnce")}
            disabled={busy || !read}
            onClick={() => void answer(q, "once")}
          >
            {t("inbox.once")}
          </Button>
          {q.offer && (
            <Button aria-expanded={more} onClick={() => setMore(!more)}>
              {t("inbox.always")}
            </Button>
          )}
          <Button tone="quiet" keys={keysOf("denyIt")} disabled={busy} onClick={() => void answer(q, "deny")}>
            {t("inbox.deny")}
          </Button>
        </div>
      )}
      {q.tool && !read && (
        <p className="cap" role="status">
          {t("inbox.readFirst")}
        </p>
      )}
      {more && <StandingForm question={q} disabled={!read} />}
      <div className="inbox-word">
        <label className="cap" htmlFor={id}>
          {t(q.tool ? `inbox.orWords.${afterDenial(q, held)}` : "inbox.inWords", { name })}
        </label>
        <Textarea
          id={id}
          value={word}
          onText={setWord}
          grow={240}
          rows={3}
          maxLength={4000}
          placeholder={t(q.tool ? "inbox.wordExample" : "inbox.answerExample")}
          onKeyDown={(e) => {
            if (e.key === "Enter" && (e.ctrlKey || e.metaKey) && !composing(e)) {
              e.preventDefault();
              send();
            }
          }}
        />
        <div className="row">
          <span className="grow" />
          <Button size="sm" keys={keysOf("sendAnswer")} disabled={!word.trim() || busy} onClick={send}>
            {t(q.tool ? "inbox.denyWith" : "inbox.send")}
          </Button>
        </div>
      </div>
    </>
  );
}

function Outcome({ question: q }: { question: Question }) {
  const { t } = useTranslation();
  const status = q.state === "expired" ? "idle" : q.choice === "deny" ? "failed" : "done";
  return (
    <div className="inbox-outcome">
      <span className="row">
        <StatusBadge status={status}>{outcomeOf(t, q)}</StatusBadge>
        {q.endedAt && (
          <time className="cap" dateTime={q.endedAt}>
            {formatWhen(q.endedAt)}
          </time>
        )}
      </span>
      {q.word && <p>{t("inbox.youSaid", { word: q.word })}</p>}
    </div>
  );
}
