import { CircleAlert, CircleCheck, LoaderCircle } from "lucide-react";
import { useTranslation } from "react-i18next";
import { errorMeaning } from "@/i18n/problem";
import { useApply } from "@/stores/applies";
import { Banner, Button } from "@/ui";

/** How a rollback goes that no drawing follows; one that a drawing follows is shown by the review. */
export function RollbackState({ id, gateway, onClose }: { id: string; gateway: string; onClose: () => void }) {
  const { t } = useTranslation();
  const a = useApply(id);
  if (!a) return null;
  if (a.state === "running") return <Banner icon={LoaderCircle}>{t("history.rollingBack", { gateway })}</Banner>;
  const close = <Button size="sm" onClick={onClose}>{t("common.close")}</Button>;
  if (a.state === "done") return <Banner icon={CircleCheck} actions={close}>{t("history.rolledBack", { gateway })}</Banner>;
  return <Banner tone="failed" icon={CircleAlert} actions={close}><b>{t("history.rollbackFailed")}.</b> {a.error ? errorMeaning(t, a.error) : t(`history.end.${a.state}`)}</Banner>;
}
