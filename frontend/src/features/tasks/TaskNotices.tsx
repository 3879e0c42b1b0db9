import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { tellDesktop } from "@/stores/desktop";
import { followWatched } from "@/stores/taskWatch";
import { showTask } from "@/stores/taskPlace";
import { formatRoute, routeOf } from "@/stores/routes";
import { toast } from "@/ui";
import { howFailed, standing } from "./words";

/** Says that a watched task has ended: by the system while the page is hidden, else on the page. */
export function TaskNotices() {
  const { t } = useTranslation();
  useEffect(
    () =>
      followWatched((task) => {
        const word = howFailed(t, task) ? "failed" : standing(task);
        if (word === "pending" || word === "in_progress" || word === "paused" || word === "asks") return;
        const title = t(`tasks.ended.${word}`);
        const onPage = () => {
          if (routeOf("tasks")?.params.task === task.taskId) return; // it is looked at
          toast({
            tone: word === "failed" ? "failed" : word === "completed" ? "done" : "info",
            text: t("common.sentences", { a: `${title}:`, b: task.title }),
            closeLabel: t("common.close"),
            id: task.taskId,
            for: 8_000,
            action: { label: t("tasks.show"), run: () => showTask(task.taskId) },
          });
        };
        const place = formatRoute("tasks", { task: task.taskId });
        void tellDesktop({ title, body: task.title, tag: task.taskId, place }).then((told) => {
          if (!told) onPage();
        });
      }),
    [t],
  );
  return null;
}
