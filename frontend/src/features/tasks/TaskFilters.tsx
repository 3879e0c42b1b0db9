import { Search, X } from "lucide-react";
import { useEffect, useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { filterTasks, useTasks } from "@/stores/tasks";
import type { TaskStatus } from "@/topology";
import { IconButton, Input, Select } from "@/ui";

const statuses = ["", "in_progress", "pending", "failed", "canceled", "completed"] as const satisfies readonly (
  "" | TaskStatus
)[];
const pause = 200,
  everybody = "*";

/** Which tasks are shown: by words, by how they stand, by agent. */
export function TaskFilters() {
  const { t } = useTranslation();
  const filter = useTasks((s) => s.filter),
    agents = useTasks((s) => s.agents);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const look = (words: string) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => filterTasks({ words }), pause);
  };
  const who = useMemo(() => {
    const list = agents.map((a) => ({ value: a.id, label: a.name || a.id }));
    if (filter.agent && !agents.some((a) => a.id === filter.agent))
      list.push({ value: filter.agent, label: filter.agent });
    return [{ value: everybody, label: t("tasks.filter.everybody") }, ...list];
  }, [agents, filter.agent, t]);
  return (
    <div className="tasks-filters">
      <Input
        size="sm"
        icon={Search}
        className="tasks-words"
        value={filter.words}
        placeholder={t("tasks.filter.words")}
        aria-label={t("tasks.filter.words")}
        onText={look}
        after={
          filter.words ? (
            <IconButton icon={X} size="sm" label={t("tasks.filter.clear")} onClick={() => filterTasks({ words: "" })} />
          ) : undefined
        }
      />
      <Select
        size="sm"
        className="tasks-facet"
        label={t("tasks.filter.status")}
        value={filter.status || "all"}
        onValue={(v) => filterTasks({ status: v === "all" ? "" : v })}
        options={statuses.map((s) => ({
          value: s || ("all" as const),
          label: t(s ? `tasks.status.${s}` : "tasks.filter.all"),
        }))}
      />
      <Select
        size="sm"
        className="tasks-facet"
        label={t("tasks.filter.agent")}
        value={filter.agent || everybody}
        onValue={(v) => filterTasks({ agent: v === everybody ? "" : v })}
        options={who}
      />
    </div>
  );
}
