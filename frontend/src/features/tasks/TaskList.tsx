import { SearchX, ListTree } from "lucide-react";
import { useMemo, useRef, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { errorMeaning } from "@/i18n/problem";
import { allTasks, filterTasks, readOlderTasks, readTasks, useTasks } from "@/stores/tasks";
import { Button, composing, EmptyState, ErrorState, focusHolder, Skeleton, useRowFocus, useTextScale } from "@/ui";
import { showTask } from "@/stores/taskPlace";
import { nested } from "./nested";
import { TaskRow } from "./TaskRow";

/** Of a row, where text is 100 %. */
const usualHeight = 52;
const ahead = 20,
  step = 8;

/** The tasks, newest first, and below each what was delegated of it. Older ones are read while one scrolls. */
export function TaskList({ shown }: { shown: string }) {
  const { t } = useTranslation();
  const { items, state, error, filter, reading } = useTasks();
  const box = useRef<HTMLDivElement>(null),
    virtual = useRef<VirtualizerHandle>(null),
    rowHeight = usualHeight * useTextScale();
  const rows = useMemo(() => nested(items), [items]),
    at = rows.findIndex((r) => r.task.taskId === shown);
  const { focusRow } = useRowFocus(box, "data-task");
  const onScroll = (offset: number) => {
    if (virtual.current && offset + virtual.current.viewportSize > virtual.current.scrollSize - ahead * rowHeight)
      void readOlderTasks();
  };
  const onKeyDown = (e: KeyboardEvent) => {
    const move = { ArrowDown: 1, ArrowUp: -1, PageDown: step, PageUp: -step, Home: -rows.length, End: rows.length }[
      e.key
    ];
    if (move === undefined || composing(e) || !rows.length) return;
    e.preventDefault();
    const to = Math.min(rows.length - 1, Math.max(0, at < 0 ? 0 : at + move)),
      id = rows[to]?.task.taskId;
    if (!id) return;
    showTask(id);
    virtual.current?.scrollToIndex(to, { align: "nearest" });
    focusRow(id);
  };
  const filtered = filter.status !== "" || filter.agent !== "" || filter.words.trim() !== "";
  if (state === "none" || (state === "loading" && !items.length))
    return <Skeleton lines={8} label={t("common.loading")} />;
  if (state === "failed" && !items.length) {
    return (
      <div className="pad">
        <ErrorState
          title={t("tasks.unread")}
          actions={
            <Button size="sm" onClick={() => void readTasks()}>
              {t("common.retry")}
            </Button>
          }
        >
          {error && errorMeaning(t, error)}
        </ErrorState>
      </div>
    );
  }
  if (!items.length) {
    return (
      <div className="grid flex-1 place-items-center p-4">
        {filtered ? (
          <EmptyState
            icon={SearchX}
            title={t("tasks.nothing")}
            action={
              <Button size="sm" onClick={() => filterTasks(allTasks)}>
                {t("tasks.showAll")}
              </Button>
            }
          >
            {t("tasks.nothingWhy")}
          </EmptyState>
        ) : (
          <EmptyState icon={ListTree} title={t("tasks.empty")}>
            {t("tasks.emptyWhy")}
          </EmptyState>
        )}
      </div>
    );
  }
  return (
    <div
      ref={box}
      {...focusHolder}
      className="scroll rows tasks-rows"
      role="list"
      aria-label={t("tasks.list")}
      aria-busy={reading}
      onKeyDown={onKeyDown}
    >
      <Virtualizer key={rowHeight} ref={virtual} scrollRef={box} itemSize={rowHeight} data={rows} onScroll={onScroll}>
        {({ task, level }, i) => (
          <TaskRow
            key={task.taskId}
            task={task}
            level={level}
            current={task.taskId === shown}
            reachable={at < 0 ? i === 0 : i === at}
            position={i + 1}
          />
        )}
      </Virtualizer>
    </div>
  );
}
