import { Unplug } from "lucide-react";
import { useTranslation } from "react-i18next";
import { gatewayName } from "@/i18n/gateway";
import { useHub } from "@/stores/hub";
import { useTargetGone } from "@/stores/targetGone";
import { useUi } from "@/stores/ui";
import { Banner, Button, Menu } from "@/ui";
import { sendTo } from "./actions";

const screens = new Set(["canvas", "review", "merge", "drift"]);

/** The gateway of the open team was removed: nothing can be applied before another one is chosen. */
export function TargetGone() {
  const { t } = useTranslation();
  const gateway = useTargetGone(),
    gateways = useHub((s) => s.gateways),
    here = useUi((s) => screens.has(s.screen));
  if (!gateway || !here) return null;
  return (
    <Banner
      tone="failed"
      icon={Unplug}
      actions={
        <Menu
          align="end"
          trigger={<Button size="sm">{t("teams.chooseGateway")}</Button>}
          items={gateways.map((g) => ({ label: gatewayName(t, g.name), onSelect: () => void sendTo(g.name) }))}
        />
      }
    >
      {t("teams.targetGone", { gateway })}
    </Banner>
  );
}
