import { ListTree } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useTasks } from "@/stores/tasks";
import { EmptyState } from "@/ui";

/** Beside the list while no task is chosen. */
export function NoTask() {
  const { t } = useTranslation();
  const any = useTasks((s) => s.items.length > 0);
  return (
    <div className="grid flex-1 place-items-center">
      <EmptyState icon={ListTree} title={t(any ? "tasks.choose" : "tasks.first")}>
        {t(any ? "tasks.chooseWhy" : "tasks.firstWhy")}
      </EmptyState>
    </div>
  );
}
