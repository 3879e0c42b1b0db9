import { CirclePause } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useHub } from "@/stores/hub";
import { useTasks } from "@/stores/tasks";
import { atWork } from "@/stores/work";
import { Banner, Button } from "@/ui";

/** The question of a task that waits for the person. It is answered where all of it is shown. */
export function AsksYou({ task }: { task: string }) {
  const { t } = useTranslation();
  const question = useHub((s) => s.inbox.find((q) => q.task === task));
  const name = useTasks((s) => s.agents.find((a) => a.id === question?.agent)?.name) || question?.agent;
  if (!question) return null;
  return (
    <Banner
      tone="waiting"
      icon={CirclePause}
      actions={
        <Button size="sm" onClick={() => atWork.answer(question.id)}>
          {t("work.answer")}
        </Button>
      }
    >
      {t(question.tool ? "tasks.asks.approval" : "tasks.asks.answer", { name })}
    </Banner>
  );
}
