import { useTranslation } from "react-i18next";
import { useUi } from "@/stores/ui";
import { Segmented } from "@/ui";

/** Tasks or plans: both stand under the rail's Tasks. */
export function WorkSwitch({ at }: { at: "tasks" | "plan" }) {
  const { t } = useTranslation();
  return (
    <Segmented
      size="sm"
      label={t("plan.switch")}
      value={at}
      onValue={(screen) => useUi.getState().go(screen)}
      options={[
        { value: "tasks", label: t("plan.tasks") },
        { value: "plan", label: t("plan.plans") },
      ]}
    />
  );
}
