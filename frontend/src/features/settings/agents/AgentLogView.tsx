import { ArrowDown, Search } from "lucide-react";
import { memo, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "@/i18n/format";
import { useAgentLog } from "@/stores/agentLog";
import type { LocalAgent, LocalLine } from "@/topology";
import { Button, cx, ErrorState, Input, Skeleton } from "@/ui";
import { CopyButton } from "../CopyCommand";
import { meaning, told, type Told } from "./words";

const near = 24;
const two = (n: number) => String(n).padStart(2, "0");
const clock = (at: string) => {
  const d = new Date(at);
  return `${two(d.getHours())}:${two(d.getMinutes())}:${two(d.getSeconds())}`;
};

/** What an agent's process says, as it comes. It follows the end until the person scrolls up. */
export function AgentLogView({ agent }: { agent: LocalAgent }) {
  const { t } = useTranslation();
  const [round, setRound] = useState(0),
    [query, setQuery] = useState("");
  const { lines, loading, error, cut } = useAgentLog(agent.id, round);
  const box = useRef<HTMLDivElement>(null),
    [left, setLeft] = useState<number>();
  const shown = useMemo(() => {
    const wanted = query.trim().toLowerCase();
    return lines
      .map((l) => ({ line: l, said: told(t, l) }))
      .filter(({ said }) => !wanted || said.text.toLowerCase().includes(wanted));
  }, [lines, query, t]);
  const last = lines.at(-1)?.seq ?? 0;
  useLayoutEffect(() => {
    const el = box.current;
    if (el && left === undefined) el.scrollTop = el.scrollHeight;
  }, [shown, left]);
  const onScroll = () => {
    const el = box.current;
    if (!el) return;
    const away = el.scrollHeight - el.scrollTop - el.clientHeight >= near;
    if (away !== (left !== undefined)) setLeft(away ? last : undefined);
  };
  const fresh = left === undefined ? 0 : last - left;
  const text = useMemo(
    () => shown.map(({ said }) => `${said.time} ${said.level ? `${said.level} ` : ""}${said.text}`).join("\n"),
    [shown],
  );
  return (
    <section className="border-t border-line" aria-label={t("here.logOf", { name: agent.name })}>
      <div className="row flex-wrap gap-y-2 px-3 py-2">
        <div className="w-56 max-w-full">
          <Input
            icon={Search}
            value={query}
            onText={setQuery}
            aria-label={t("here.search")}
            placeholder={t("here.search")}
          />
        </div>
        <span className="cap num grow" role="status">
          {query
            ? t("here.found", { count: shown.length, n: formatNumber(shown.length) })
            : cut
              ? t("here.cut", { n: formatNumber(lines.length) })
              : t("here.lines", { count: lines.length, n: formatNumber(lines.length) })}
        </span>
        {shown.length > 0 && <CopyButton text={text} label={t("here.copyLog")} />}
      </div>
      {error && (
        <div className="px-3 pb-2">
          <ErrorState
            title={t("here.logFailed")}
            actions={
              <Button size="sm" onClick={() => setRound(round + 1)}>
                {t("common.retry")}
              </Button>
            }
          >
            {meaning(t, error)}
          </ErrorState>
        </div>
      )}
      <div className="relative">
        <div
          ref={box}
          role="log"
          aria-live="off"
          aria-label={t("here.log")}
          tabIndex={0}
          className="mono h-72 overflow-auto bg-surface-2 px-3 py-2 text-12 select-text"
          onScroll={onScroll}
          data-last={last}
        >
          {loading ? (
            <Skeleton lines={4} label={t("common.loading")} />
          ) : shown.length === 0 ? (
            !error && <p className="t3">{t(query ? "here.notFound" : "here.quiet", { query })}</p>
          ) : (
            shown.map(({ line, said }) => (
              <Line key={line.seq} from={line.from} noted={Boolean(line.note)} said={said} />
            ))
          )}
        </div>
        {left !== undefined && (
          <Button
            size="sm"
            icon={ArrowDown}
            className="absolute right-4 bottom-3"
            onClick={() => {
              setLeft(undefined);
              box.current?.focus();
            }}
          >
            {fresh > 0 ? t("here.newer", { count: fresh }) : t("here.toEnd")}
          </Button>
        )}
      </div>
    </section>
  );
}

/** Lines far above the end are laid out once they are scrolled to. */
const unseen = [
  "[&:not(:nth-last-child(-n+40))]:[contain-intrinsic-size:auto_1.6em]",
  "[&:not(:nth-last-child(-n+40))]:[content-visibility:auto]",
];

/** Levels are said in a word, too: color alone tells nobody. */
const Line = memo(
  function Line({ from, noted, said }: { from: LocalLine["from"]; noted: boolean; said: Told }) {
    const bad = said.level === "ERROR" || said.level === "WARN";
    return (
      <div className={cx("flex gap-3 leading-[1.6]", ...unseen)}>
        <time className="t3 num flex-none" dateTime={said.time}>
          {clock(said.time)}
        </time>
        <span
          className={cx("min-w-0 whitespace-pre-wrap wrap-anywhere", from === "hub" && "t2", bad && "text-failed")}
          lang={noted ? undefined : "en"}
        >
          {bad && <b>{said.level} </b>}
          {said.text}
        </span>
      </div>
    );
  },
  (a, b) => a.from === b.from && a.said.text === b.said.text && a.said.time === b.said.time,
);
