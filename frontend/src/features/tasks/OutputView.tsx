import { ArrowDown, LockKeyhole, Unplug } from "lucide-react";
import { memo, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { chatWords } from "@/i18n/chat";
import { formatTime } from "@/i18n/format";
import { useTasks } from "@/stores/tasks";
import type { Output, OutputBlock } from "@/stores/taskOutput";
import { Banner, Button } from "@/ui";
import { ChatWordsProvider, Markdown } from "@/ui/chat";
import { useCause } from "./Why";
import { logWords, standing, stepWords } from "./words";

const near = 24;

type Props = {
  output: Output;
  link: "connecting" | "open" | "lost";
  running: boolean;
  /** A model says it, in Markdown; else it is a terminal's. */ written: boolean;
};

/** What the task says. It follows the end until the person scrolls up, and says then how much has come since. */
export function OutputView({ output, link, running, written }: Props) {
  const { t } = useTranslation();
  const words = useMemo(() => chatWords(t), [t]);
  const box = useRef<HTMLDivElement>(null),
    all = useRef<HTMLDivElement>(null),
    follows = useRef(true);
  const [left, setLeft] = useState<number>(); // lines that were there when the person scrolled up
  const toEnd = () => {
    const el = box.current;
    if (el) el.scrollTop = el.scrollHeight;
  };
  useLayoutEffect(() => {
    if (follows.current) toEnd();
  }, [output]);
  useEffect(() => {
    if (!box.current || !all.current) return;
    const seen = new ResizeObserver(() => {
      if (follows.current) toEnd();
    });
    seen.observe(box.current);
    seen.observe(all.current);
    return () => seen.disconnect();
  }, []);
  const follow = (on: boolean) => {
    if (on === follows.current) return;
    follows.current = on;
    setLeft(on ? undefined : output.lines);
  };
  const onScroll = () => {
    const el = box.current;
    if (el) follow(el.scrollHeight - el.scrollTop - el.clientHeight < near);
  };
  const fresh = left === undefined ? 0 : output.lines - left;
  const last = output.blocks.at(-1);
  return (
    <div className="task-out h-full">
      {running && link === "lost" && (
        <Banner tone="waiting" icon={Unplug}>
          {t("tasks.lost")}
        </Banner>
      )}
      <div
        ref={box}
        className="scroll"
        role="log"
        aria-label={t("tasks.tab.output")}
        aria-live="off"
        tabIndex={0}
        onScroll={onScroll}
        data-seq={output.seq}
        data-written={written || undefined}
      >
        <div ref={all}>
          <ChatWordsProvider value={words}>
            {output.blocks.map((b) => (
              <Block key={b.key} block={b} written={written} live={written && running && b === last} />
            ))}
          </ChatWordsProvider>
          {running && !written && last?.kind === "text" && <span className="task-caret" aria-hidden />}
          {!output.blocks.length && <p className="t3">{t(running ? "tasks.quiet" : "tasks.nothingSaid")}</p>}
        </div>
      </div>
      {left === undefined ? (
        running && (
          <span className="chip task-lock">
            <LockKeyhole size={12} aria-hidden />
            {t("tasks.follows")}
          </span>
        )
      ) : (
        <Button
          size="sm"
          icon={ArrowDown}
          className="task-lock"
          onClick={() => {
            follow(true);
            toEnd();
            box.current?.focus();
          }}
        >
          {fresh > 0 ? t("tasks.newest", { count: fresh }) : t("tasks.toEnd")}
        </Button>
      )}
    </div>
  );
}

/** Finished blocks are never rendered again: only the last one grows. */
const Block = memo(function Block({ block, written, live }: { block: OutputBlock; written: boolean; live: boolean }) {
  const { t } = useTranslation();
  const name = useTasks((s) =>
    block.kind === "attempt" ? s.agents.find((a) => a.id === block.agent)?.name || block.agent : "",
  );
  const agents = useTasks((s) => s.agents),
    nameOf = (id: string) => agents.find((a) => a.id === id)?.name || id;
  const why = useCause();
  if (block.kind === "text") return written ? <Markdown text={block.text} live={live} /> : <pre>{block.text}</pre>;
  const time = block.at && (
    <time className="num" dateTime={block.at}>
      {formatTime(block.at)}
    </time>
  );
  if (block.kind === "attempt")
    return (
      <div className="line line--attempt">
        {time}
        <span>{t(block.review ? "tasks.reviews" : "tasks.begins", { n: block.n, name })}</span>
      </div>
    );
  if (block.kind === "log") {
    const { cause, text, n } = block,
      told = cause
        ? (stepWords(t, cause, nameOf) ?? t("tasks.came", { n, why: why(cause, text) }))
        : logWords(t, text, nameOf);
    return (
      <div className="line">
        {time}
        <span title={cause && text}>{told}</span>
      </div>
    );
  }
  const word = standing({ status: block.status });
  return (
    <div className={`line line--attempt ${word === "failed" ? "s-failed" : ""}`}>
      {time}
      <span className={word === "failed" ? "sc" : undefined}>
        {t(`tasks.status.${word}`)}
        {word === "failed" && block.text && `: ${why(block.cause, block.text)}`}
      </span>
    </div>
  );
});
