import { Plus } from "lucide-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "@/i18n/format";
import { followTasks, useTasks } from "@/stores/tasks";
import { askForTask } from "@/stores/taskDraft";
import { usePanel, useUi } from "@/stores/ui";
import { Boundary, Button, Panel, ScreenHead, useMedia } from "@/ui";
import { Composer } from "./Composer";
import { showTask, useShownTask } from "@/stores/taskPlace";
import { NoTask } from "./NoTask";
import { TaskFilters } from "./TaskFilters";
import { TaskList } from "./TaskList";
import { TaskView } from "./TaskView";
import "./tasks.css";

const usual = 420;

/** All tasks, and one of them while it works. */
export function TasksScreen({
  onConnect,
  lead,
}: {
  onConnect: (from: string, to: string) => void;
  /** The way to the other kind of work. */ lead?: React.ReactNode;
}) {
  const { t } = useTranslation();
  const phone = useMedia("(max-width: 639px)");
  const shown = useShownTask();
  useEffect(followTasks, []);
  if (phone && shown)
    return <TaskView key={shown} id={shown} onBack={() => showTask("")} onConnect={onConnect} phone />;
  return (
    <>
      <ScreenHead>
        <h1>{t("screen.tasks")}</h1>
        {lead}
        <Counts />
        <span className="grow" />
        {!phone && (
          <Button tone="main" icon={Plus} onClick={() => askForTask()}>
            {t("tasks.new")}
          </Button>
        )}
      </ScreenHead>
      <div className="body">
        <ListPanel phone={phone}>
          <Composer onConnect={onConnect} phone={phone} />
          <TaskFilters />
          <Boundary>
            <TaskList shown={shown} />
          </Boundary>
        </ListPanel>
        {!phone &&
          (shown ? (
            <Boundary of={shown}>
              <TaskView key={shown} id={shown} onConnect={onConnect} />
            </Boundary>
          ) : (
            <NoTask />
          ))}
      </div>
    </>
  );
}

/** 3 running · 2 waiting: only what there is. */
function Counts() {
  const { t } = useTranslation();
  const counts = useTasks((s) => s.counts);
  const shown = {
    ...counts,
    in_progress: counts.in_progress - counts.queued,
    pending: counts.pending + counts.queued,
  };
  const parts = (["in_progress", "pending", "held", "failed", "canceled", "completed"] as const)
    .filter((k) => shown[k] > 0)
    .map((k) => t(`tasks.count.${k}`, { n: formatNumber(shown[k]) }));
  return (
    <span className="cap cut num" aria-live="polite">
      {parts.join(" · ")}
    </span>
  );
}

function ListPanel({ phone, children }: { phone: boolean; children: React.ReactNode }) {
  const { t } = useTranslation();
  const panel = usePanel("tasks.list"),
    setPanel = useUi((s) => s.setPanel);
  return (
    <Panel
      kind="list"
      label={t("tasks.list")}
      size={phone ? undefined : panel.size}
      className="tasks-list"
      split={
        phone
          ? undefined
          : {
              label: t("tasks.split"),
              edge: "right",
              size: panel.size,
              min: 300,
              max: 640,
              onSize: (size) => setPanel("tasks.list", { size }),
              onFold: () => setPanel("tasks.list", { size: usual }),
            }
      }
    >
      {children}
    </Panel>
  );
}
