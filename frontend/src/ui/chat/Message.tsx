import { memo, useEffect, useState, type ReactNode } from "react";
import { Avatar } from "../Avatar";
import { cx } from "../cx";
import { CopyText } from "./CopyText";
import { Markdown } from "./Markdown";
import { useChatWords } from "./words";

/** Who says something: color 1 to 12 for an agent, 0 for a person. */
export type Who = { name: string; initials: string; color: number };

export type MessageProps = {
  id?: string;
  who: Who;
  at?: string | number | Date;
  text: string;
  /** The person at this page said it. */
  mine?: boolean;
  /** More text is coming: a caret is at the end, and finished text isn't laid out again. */
  live?: boolean;
  /** It has just been jumped to. */
  found?: boolean;
  /** Names that are marked where they are mentioned. */
  mentions?: readonly string[];
  /** Beside the time. */
  note?: ReactNode;
  /** Under the text: what became of it. */
  children?: ReactNode;
  /** Between the head and the text: tool calls. */
  before?: ReactNode;
};

/** One line of a conversation. */
export const Message = memo(function Message({
  id,
  who,
  at,
  text,
  mine,
  live,
  found,
  mentions,
  note,
  before,
  children,
}: MessageProps) {
  const words = useChatWords();
  return (
    <article
      className={cx("msg", mine && "is-me", found && "is-found")}
      data-message={id}
      data-live={live || undefined}
    >
      <Avatar initials={who.initials} color={who.color} />
      <header>
        <b className="cut" title={who.name}>
          <bdi>{who.name}</bdi>
        </b>
        {at !== undefined && (
          <time dateTime={new Date(at).toISOString()} title={words.moment(at)}>
            {words.time(at)}
          </time>
        )}
        {note}
        {text && !live && (
          <span className="msg-tools">
            <CopyText text={text} />
          </span>
        )}
      </header>
      <div className="read" dir="auto">
        {before}
        {(text || live) && <Body by={who.name} text={text} live={live} mentions={mentions} />}
        {children}
      </div>
    </article>
  );
});

const longest = 16_000,
  shownOfLong = 4_000,
  remembered = 20;
/** The latest long answers that were seen to grow. */
const grown = new Set<string>();
const markOf = (by: string, text: string) => `${by}\n${text.slice(0, 256)}`;

/** A very long text is shown in part until somebody wants all of it. What was read while it came stays whole. */
function Body({
  by,
  text,
  live,
  mentions,
}: {
  by: string;
  text: string;
  live?: boolean;
  mentions?: readonly string[];
}) {
  const words = useChatWords(),
    long = text.length > longest;
  const [all, setAll] = useState(() => long && grown.has(markOf(by, text)));
  useEffect(() => {
    if (!live || !long) return;
    grown.add(markOf(by, text));
    for (const first of grown) {
      if (grown.size <= remembered) break;
      grown.delete(first);
    }
  }, [by, text, live, long]);
  const cut = long && !live && !all;
  return (
    <>
      <Markdown text={cut ? text.slice(0, shownOfLong) : text} live={live} mentions={mentions} />
      {cut && (
        <button type="button" className="link" onClick={() => setAll(true)}>
          {words.showAll(text.length)}
        </button>
      )}
    </>
  );
}
