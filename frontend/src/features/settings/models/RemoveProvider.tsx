import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatList } from "@/i18n/format";
import { errorMeaning } from "@/i18n/problem";
import { useTeam } from "@/stores/team";
import { asApiError, type ApiError } from "@/stores/faults";
import { providerActions } from "@/stores/providers";
import type { Provider } from "@/topology";
import { Button, Dialog, ErrorState } from "@/ui";
import { useOtherTeams } from "./otherTeams";
import { usersOf } from "./rename";

/** Asks, because the key cannot be brought back. */
export function RemoveProvider({ provider, onClose }: { provider: Provider; onClose: () => void }) {
  const { t } = useTranslation();
  const users = usersOf(
      useTeam((s) => s.topology.agents),
      provider.name,
    ).length,
    teams = useOtherTeams()((m) => m.startsWith(`${provider.name}/`));
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const remove = () => {
    setBusy(true);
    providerActions.remove(provider.name).then(onClose, (e: unknown) => {
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
      title={t("models.removeTitle", { name: provider.name })}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            {t("models.keep")}
          </Button>
          <Button tone="danger" busy={busy} onClick={remove}>
            {t("models.removeIt")}
          </Button>
        </>
      }
    >
      <div className="col gap-2">
        <p>{t("models.removeWhy")}</p>
        {users > 0 && <p>{t("models.removeAgents", { count: users })}</p>}
        {teams.length > 0 && <p>{t("models.removeTeams", { count: teams.length, names: formatList(teams) })}</p>}
        {error && <ErrorState title={t("models.removeFailed")}>{errorMeaning(t, error)}</ErrorState>}
      </div>
    </Dialog>
  );
}
