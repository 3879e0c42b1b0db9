import { CornerDownRight } from "lucide-react";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { formatDateTime, formatWhen } from "@/i18n/format";
import { useTasks } from "@/stores/tasks";
import type { TaskSummary } from "@/topology";
import { Avatar, cx, Marked, marked, Progress, statusIcon } from "@/ui";
import { showTask } from "@/stores/taskPlace";
import { useAsks } from "./useAsks";
import { useFaces } from "./useFaces";
import { useNow } from "./useNow";
import { howFailed, spent, standing, toneOf, typeIcon } from "./words";

type Props = {
  task: TaskSummary;
  /** Below how many tasks it stands. */ level: number;
  current: boolean;
  /** Tab comes here; arrows lead on. */ reachable: boolean;
  position: number;
};

/** A task in two lines: what, and how it stands, who does it, since when. */
export const TaskRow = memo(function TaskRow({ task, level, current, reachable, position }: Props) {
  const { t } = useTranslation();
  const failure = howFailed(t, task),
    asks = useAsks(task.taskId),
    word = failure ? "failed" : standing(task, asks),
    tone = toneOf[word],
    Icon = statusIcon[tone],
    Kind = typeIcon[task.taskType];
  const faceOf = useFaces(),
    name = useTasks((s) => s.agents.find((a) => a.id === task.agent)?.name) || task.agent;
  const running = word === "in_progress",
    now = useNow(running);
  const when = running ? spent(task.startedAt ?? task.createdAt, now) : formatWhen(task.createdAt);
  return (
    <div
      role="listitem"
      aria-posinset={position}
      aria-level={level + 1}
      className="tasks-item"
      data-level={Math.min(level, 3)}
    >
      <button
        type="button"
        className="lrow"
        data-task={task.taskId}
        aria-current={current || undefined}
        tabIndex={reachable ? 0 : -1}
        onClick={() => showTask(task.taskId)}
      >
        {level > 0 && <CornerDownRight size={12} className="t3 flex-none" aria-hidden />}
        <Icon size={16} className={cx(`s-${tone}`, "sc flex-none", tone === "running" && "spin")} aria-hidden />
        <span className="col grow">
          <span className="tasks-title" title={marked(task.title)}>
            <Marked text={task.title} />
          </span>
          <span className="cap row gap-1.5">
            <Kind size={12} className="flex-none" aria-label={t(`tasks.type.${task.taskType}`)} />
            <span className={cx("cut", word === "failed" && "s-failed sc")}>
              {t(`tasks.status.${word}`)}
              {failure && ` · ${failure}`}
              {task.attempts > 1 && ` · ${t("tasks.tries", { count: task.attempts })}`}
              {!!task.rejections && ` · ${t("tasks.rejections", { count: task.rejections })}`}
              {name && ` · ${name}`}
            </span>
          </span>
        </span>
        <span className="col items-end gap-1">
          <time className="cap num" dateTime={task.createdAt} title={formatDateTime(task.createdAt)}>
            {when}
          </time>
          {running && task.progress > 0 && (
            <span className="tasks-progress">
              <Progress value={task.progress / 100} label={t("tasks.progress")} />
            </span>
          )}
        </span>
        {task.agent ? <Avatar size="sm" {...faceOf(task.agent)} /> : <span className="w-5 flex-none" />}
      </button>
    </div>
  );
});
