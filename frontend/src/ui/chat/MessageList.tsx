import { ArrowDown } from "lucide-react";
import {
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  type ReactElement,
  type Ref,
} from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { Boundary } from "../Boundary";
import { Button } from "../Button";
import { useChatWords } from "./words";

/** An end of what is loaded: whether there is more, and how it is fetched. */
export type Edge = { more: boolean; busy: boolean; load: () => void };

export type ListHandle = { toEnd: () => void; toRow: (key: string) => void };

export type MessageListProps<R extends { key: string }> = {
  ref?: Ref<ListHandle>;
  label: string;
  rows: readonly R[];
  children: (row: R) => ReactElement;
  older?: Edge;
  /** Only where what is shown does not reach to the newest. */
  newer?: Edge;
  /** Where to begin: the first that was not read. */
  startAt?: string;
  /** The newest is in view, or no longer. */
  onEnd?: (at: boolean) => void;
  /** Goes to the newest where it is not loaded. */
  onNewest?: () => unknown;
  /** Newer ones that are known of and not loaded. */
  unloaded?: number;
};

const near = 600,
  slack = 32;

/** The oldest stays where it is on the screen when others come before it. */
function cameBefore(was: readonly { key: string }[], now: readonly { key: string }[]): boolean {
  const first = was[0]?.key;
  return first !== undefined && now.length > was.length && now[0]?.key !== first && now.some((r) => r.key === first);
}

/**
 * A conversation of any length: only what is near the view is drawn. It follows the newest line while that is in view,
 * and otherwise stays where it is, whatever comes before or after.
 */
export function MessageList<R extends { key: string }>({
  ref,
  label,
  rows,
  children,
  older,
  newer,
  startAt,
  onEnd,
  onNewest,
  unloaded = 0,
}: MessageListProps<R>) {
  const words = useChatWords();
  const box = useRef<HTMLDivElement>(null),
    list = useRef<VirtualizerHandle>(null);
  const [begin] = useState(startAt);
  const [away, setAway] = useState<string>(); // the last line when the view left the end
  const following = useRef(true),
    top = useRef(0),
    placed = useRef(false);
  const whole = !newer?.more;
  const [seen, setSeen] = useState({ rows, whole, shift: false });
  if (seen.rows !== rows || seen.whole !== whole) {
    setSeen({ rows, whole, shift: cameBefore(seen.rows, rows) });
    // What is loaded on the way to the newest is not new.
    if (!seen.whole && away !== undefined) setAway(rows[rows.length - 1]?.key);
  }

  const toEnd = useCallback(() => {
    following.current = true;
    setAway(undefined);
    if (!whole) {
      onNewest?.();
      return;
    } // the end comes with it
    if (rows.length) list.current?.scrollToIndex(rows.length - 1, { align: "end" });
    onEnd?.(true);
  }, [rows.length, whole, onEnd, onNewest]);
  const leave = useCallback(() => {
    following.current = false;
    setAway(rows[rows.length - 1]?.key);
    onEnd?.(false);
  }, [rows, onEnd]);
  useImperativeHandle(
    ref,
    () => ({
      toEnd,
      toRow: (key) => {
        const i = rows.findIndex((r) => r.key === key);
        if (i < 0) return;
        leave();
        list.current?.scrollToIndex(i, { align: "center" });
      },
    }),
    [rows, toEnd, leave],
  );

  const look = useCallback(() => {
    const el = box.current;
    if (!el || !placed.current) return;
    const up = el.scrollTop < top.current - 1,
      left = el.scrollHeight - el.clientHeight - el.scrollTop;
    top.current = el.scrollTop;
    if (left <= slack && whole) {
      if (!following.current) {
        following.current = true;
        setAway(undefined);
        onEnd?.(true);
      }
    } else if (following.current && up) leave();
    // On the way to the end it passes the top.
    const arrived = !following.current || left <= slack;
    if (older?.more && !older.busy && arrived && el.scrollTop < near) older.load();
    if (newer?.more && !newer.busy && left < near) newer.load();
  }, [leave, whole, older, newer, onEnd]);

  // What is drawn grows and shrinks while it is measured, colored or streamed: the end stays the end.
  useEffect(() => {
    const el = box.current,
      inner = el?.lastElementChild;
    if (!el || !inner) return;
    const watch = new ResizeObserver(() => {
      if (following.current && placed.current) el.scrollTop = el.scrollHeight;
    });
    watch.observe(inner);
    watch.observe(el);
    return () => watch.disconnect();
  }, []);
  useLayoutEffect(() => {
    if (!rows.length) return;
    const first = placed.current ? -1 : rows.findIndex((r) => r.key === begin);
    if (first >= 0) {
      list.current?.scrollToIndex(first, { align: "start" });
      following.current = false;
    } else if (following.current && whole) {
      list.current?.scrollToIndex(rows.length - 1, { align: "end" });
      onEnd?.(true);
    }
    if (!placed.current) {
      placed.current = true;
      if (first < 0) onEnd?.(whole);
      else setAway(rows[rows.length - 1]?.key);
    }
  }, [rows, whole, begin, onEnd]);
  useEffect(look, [look]);

  const at = away === undefined ? -1 : rows.findIndex((r) => r.key === away);
  const below = (at < 0 ? 0 : rows.length - 1 - at) + unloaded;
  return (
    <div className="msglist">
      {older?.busy && (
        <div className="msglist-note" role="status">
          {words.older}
        </div>
      )}
      <div
        ref={box}
        className="msglist-scroll"
        role="log"
        aria-live="off"
        aria-label={label}
        tabIndex={0}
        onScroll={look}
      >
        <div className="msglist-fill" />
        <Virtualizer ref={list} scrollRef={box} shift={seen.shift} data={rows} bufferSize={400}>
          {(row) => (
            <Boundary key={row.key} of={row}>
              {children(row)}
            </Boundary>
          )}
        </Virtualizer>
      </div>
      {(away !== undefined || !whole) && (
        <Button size="sm" icon={ArrowDown} className="msglist-jump" onClick={toEnd}>
          {below > 0 ? words.jumpNew(below) : words.jump}
        </Button>
      )}
    </div>
  );
}
