import { Unplug } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { retryLink, useHub } from "@/stores/hub";
import { Banner, Button } from "@/ui";

const patience = 1_000;

/** Says that the hub is gone, once it has been gone for a moment. */
export function HubBanner() {
  const { t } = useTranslation();
  const lostAt = useHub((s) => s.lostAt), known = useHub((s) => s.known);
  const [late, setLate] = useState<number>();
  useEffect(() => {
    if (lostAt === undefined) return;
    const timer = setTimeout(() => setLate(lostAt), Math.max(0, lostAt + patience - Date.now()));
    return () => clearTimeout(timer);
  }, [lostAt]);
  if (lostAt === undefined || late !== lostAt) return null;
  return (
    <Banner tone="waiting" icon={Unplug} actions={<Button size="sm" onClick={retryLink}>{t("hub.retryNow")}</Button>}>
      {known ? t("hub.lost") : <><b>{t("hub.startFailed")}.</b> {t("hub.startFailedWhy")}</>}
    </Banner>
  );
}
