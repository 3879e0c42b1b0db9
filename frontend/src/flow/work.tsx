import { CircleCheck, CirclePause, CircleSlash, CircleX, LoaderCircle } from "lucide-react";
import { createContext, useContext, useEffect, useState, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { causeText } from "../i18n/cause";
import { formatCost, formatDateTime, formatTime } from "../i18n/format";
import type { AgentWork } from "../topology";

export type Scheduled = "on" | "off";

/** Tells nodes and lines which agent works on what. Each hears only about itself, so nothing else is redrawn. */
export type WorkSource = {
  subscribe: (on: () => void) => () => void;
  of: (agent: string) => AtWork | undefined;
  lit: (connection: string) => boolean;
  /** The agent has jobs on the gateway, whose scheduler runs them or is off. */ scheduled?: (
    agent: string,
  ) => Scheduled | undefined;
  /** The name of an agent. */ nameOf?: (agent: string) => string;
  /** Shows a session. */ open?: (key: string) => void;
  openRoom?: (room: string) => void;
  /** Shows a question that waits for the person. */ answer?: (question: string) => void;
  /** Whether an agent without work is idle. Absent: it always is. */ known?: () => boolean;
};

/** What an agent is at; `question` waits for the person's answer, `session` or `room` is where it answers. */
export type AtWork = AgentWork & {
  question?: string;
  session?: { key: string; parent?: string; tokens?: number; cost?: number; more: number };
  room?: { name: string; more: number };
};

const nobody: WorkSource = { subscribe: () => () => undefined, of: () => undefined, lit: () => false };
export const WorkContext = createContext<WorkSource>(nobody);
export const nobodyWorks = nobody;

/** What an agent is at, or was at last. */
export function useAtWork(agent: string): AtWork | undefined {
  const source = useContext(WorkContext);
  return useSyncExternalStore(source.subscribe, () => source.of(agent));
}

/** Whether an agent without work is known to be idle. If not, it may be working. */
export function useKnown(): boolean {
  const source = useContext(WorkContext);
  return useSyncExternalStore(source.subscribe, () => source.known?.() ?? true);
}

/** Whether the agent has jobs on the gateway, and whether they run. */
export function useScheduled(agent: string): Scheduled | undefined {
  const source = useContext(WorkContext);
  return useSyncExternalStore(source.subscribe, () => source.scheduled?.(agent));
}

/** A task runs along the connection. */
export function useLit(connection: string): boolean {
  const source = useContext(WorkContext);
  return useSyncExternalStore(source.subscribe, () => source.lit(connection));
}

const icons = {
  running: LoaderCircle,
  waiting: CirclePause,
  failed: CircleX,
  done: CircleCheck,
  canceled: CircleSlash,
};

/** The color of a node: what a person canceled is no failure, and is as gray as an idle agent. */
export const workTone = ({ state }: AgentWork) => (state === "canceled" ? "idle" : state);

function FootButton({ text, label, run }: { text: string; label?: string; run: () => void }) {
  return (
    <button
      type="button"
      className="node-answer nodrag nopan"
      aria-label={label}
      onClick={(e) => {
        e.stopPropagation();
        run();
      }}
      onDoubleClick={(e) => e.stopPropagation()}
    >
      {text}
    </button>
  );
}

/** The node's foot while its agent has something to do, or just had. */
export function WorkFoot({ work }: { work: AtWork }) {
  const { t } = useTranslation();
  const { answer, nameOf = String, open, openRoom } = useContext(WorkContext),
    { question, session, room } = work;
  const Icon = icons[work.state],
    said = room && work.state === "waiting" ? t("work.asks") : t(`work.${work.state}`);
  if (question) {
    const asks = work.title ? t("work.wants", { what: work.title }) : t("work.asks");
    return (
      <div className="node-foot" title={asks}>
        <Icon size={12} className="flex-none" aria-hidden />
        <span>{t("work.asks")}</span>
        {answer && <FootButton text={t("work.answer")} run={() => answer(question)} />}
      </div>
    );
  }
  const text = session
    ? [
        work.title,
        session.more ? t("work.more", { n: session.more }) : "",
        session.tokens ? t("work.tokens", { n: session.tokens }) : "",
        session.cost ? formatCost(session.cost) : "",
        session.parent ? t("work.startedBy", { who: nameOf(session.parent) }) : "",
      ]
        .filter(Boolean)
        .join(" · ")
    : room
      ? [work.title, room.more ? t("work.more", { n: room.more }) : ""].filter(Boolean).join(" · ")
      : work.state === "failed" && work.why
        ? causeText(t, work.cause, work.why)
        : work.review
          ? t("work.reviews", { what: work.title || said })
          : work.title || said;
  const where = session ? t("work.session") : room && work.state === "running" ? t("work.room") : said;
  const before = work.before ? ` (${t("work.before", { time: formatDateTime(work.since) })})` : "";
  return (
    <div className="node-foot" title={`${where}: ${text}${before}`}>
      <Icon size={12} className={work.state === "running" ? "flex-none spin" : "flex-none"} aria-label={said} />
      <span>{text}</span>
      {work.state === "running" ? (
        <Elapsed since={work.since} />
      ) : (
        work.state !== "waiting" && (
          <time className="num flex-none" dateTime={work.since}>
            {formatTime(work.since)}
          </time>
        )
      )}
      {session && open && (
        <FootButton
          text={t("work.open")}
          label={t("work.openSession", { name: work.title })}
          run={() => open(session.key)}
        />
      )}
      {room && openRoom && (
        <FootButton
          text={t("work.open")}
          label={t("work.openRoom", { name: room.name })}
          run={() => openRoom(room.name)}
        />
      )}
    </div>
  );
}

function Elapsed({ since }: { since: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const s = Math.max(0, Math.floor((now - new Date(since).getTime()) / 1000));
  return (
    <span className="num node-time">
      {Math.floor(s / 60)}:{String(s % 60).padStart(2, "0")}
    </span>
  );
}
