import { useTranslation } from "react-i18next";
import { causeText } from "@/i18n/cause";
import { useTasks } from "@/stores/tasks";
import type { TaskCause } from "@/topology";
import { OwnWords } from "@/ui";

/** Tells causes with the agents' names; the hub's own words where we have none. */
export function useCause(): (cause: TaskCause | undefined, text: string) => string {
  const { t } = useTranslation(),
    agents = useTasks((s) => s.agents);
  return (cause, text) => causeText(t, cause, text, (id) => agents.find((a) => a.id === id)?.name || id);
}

/** Why something did not come about, and the hub's own words below it. */
export function Why({ cause, text }: { cause?: TaskCause; text: string }) {
  const { t } = useTranslation(),
    told = useCause()(cause, text);
  return (
    <>
      <p>{told}</p>
      {told !== text && <OwnWords summary={t("models.details")} text={text} />}
    </>
  );
}
