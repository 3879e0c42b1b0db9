import { useState } from "react";
import { useTranslation } from "react-i18next";
import { errorMeaning } from "@/i18n/problem";
import { useTeams } from "@/stores/teams";
import { asApiError, type ApiError } from "@/stores/faults";
import { gatewayActions } from "@/stores/gateways";
import type { Gateway } from "@/topology";
import { Button, Dialog, ErrorState } from "@/ui";

/** Asks, because the token cannot be brought back. */
export function RemoveDialog({ gateway, onClose }: { gateway: Gateway; onClose: () => void }) {
  const { t } = useTranslation();
  const teams = useTeams().filter((d) => d.gateway === gateway.name).length;
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const remove = () => {
    setBusy(true);
    gatewayActions.remove(gateway.name).then(onClose, (e: unknown) => {
      setError(asApiError(e));
      setBusy(false);
    });
  };
  return (
    <Dialog
      open
      onOpen={(open) => {
        if (!open && !busy) onClose();
      }}
      title={t("settings.gateways.removeTitle", { name: gateway.name })}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            {t("settings.gateways.keep")}
          </Button>
          <Button tone="danger" busy={busy} onClick={remove}>
            {t("settings.gateways.removeIt")}
          </Button>
        </>
      }
    >
      <div className="col gap-2">
        <p>{t("settings.gateways.removeWhy")}</p>
        {teams > 0 && <p>{t("settings.gateways.removeTeams", { count: teams })}</p>}
        {error && <ErrorState title={t("settings.gateways.removeFailed")}>{errorMeaning(t, error)}</ErrorState>}
      </div>
    </Dialog>
  );
}
