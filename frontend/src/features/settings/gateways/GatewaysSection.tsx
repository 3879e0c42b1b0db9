import { Unplug } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useGateways } from "@/stores/gateways";
import { useHub } from "@/stores/hub";
import type { Gateway } from "@/topology";
import { EmptyState, Skeleton } from "@/ui";
import { useSection } from "../section";
import { GatewayCard } from "./GatewayCard";
import { GatewayDialog } from "./GatewayDialog";
import { RemoveDialog } from "./RemoveDialog";

export function GatewaysSection({ onImport }: { onImport: (gateway: string) => void }) {
  const { t } = useTranslation();
  const gateways = useGateways();
  const known = useHub((s) => s.known),
    lost = useHub((s) => s.link === "lost");
  const editing = useSection((s) => s.editing),
    address = useSection((s) => s.address);
  const [removing, setRemoving] = useState<Gateway>();
  if (!known)
    return lost ? (
      <EmptyState icon={Unplug} title={t("hub.startFailed")}>
        {t("hub.startFailedWhy")}
      </EmptyState>
    ) : (
      <Skeleton lines={4} label={t("common.loading")} />
    );
  const close = () => useSection.setState({ editing: undefined, address: undefined });
  const edited = gateways.find((g) => g.name === editing);
  return (
    <>
      <p className="t2">{t("settings.gateways.what")}</p>
      {gateways.map((g) => (
        <GatewayCard
          key={g.name}
          gateway={g}
          onImport={() => onImport(g.name)}
          onEdit={() => useSection.setState({ editing: g.name })}
          onRemove={() => setRemoving(g)}
        />
      ))}
      {(editing === "" || edited) && (
        <GatewayDialog key={editing} gateway={edited} address={address} all={gateways} onClose={close} />
      )}
      {removing && <RemoveDialog gateway={removing} onClose={() => setRemoving(undefined)} />}
    </>
  );
}
