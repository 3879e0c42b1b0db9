import { Unplug } from "lucide-react";
import { useTranslation } from "react-i18next";
import { retryLink, useHub } from "@/stores/hub";
import { Banner, Button } from "@/ui";
import { useHubLost } from "./hubLost";

/** Says that the hub is gone. */
export function HubBanner() {
  const { t } = useTranslation();
  const lost = useHubLost(),
    known = useHub((s) => s.known);
  if (!lost) return null;
  return (
    <Banner
      tone="waiting"
      icon={Unplug}
      actions={
        <Button size="sm" onClick={retryLink}>
          {t("hub.retryNow")}
        </Button>
      }
    >
      {known ? (
        t("hub.lost")
      ) : (
        <>
          <b>{t("hub.startFailed")}.</b> {t("hub.startFailedWhy")}
        </>
      )}
    </Banner>
  );
}
