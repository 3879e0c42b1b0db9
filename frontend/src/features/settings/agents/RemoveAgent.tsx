import { useState } from "react";
import { useTranslation } from "react-i18next";
import { asApiError, type ApiError } from "@/stores/faults";
import { isUp, localAgentActions } from "@/stores/localAgents";
import type { LocalAgent } from "@/topology";
import { Button, Dialog, ErrorState } from "@/ui";
import { meaning } from "./words";

/** Asks, because its process ends, and what is kept for it cannot be brought back. */
export function RemoveAgent({ agent: a, onClose }: { agent: LocalAgent; onClose: () => void }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false),
    [error, setError] = useState<ApiError>();
  const remove = () => {
    setBusy(true);
    localAgentActions.remove(a.id).then(onClose, (e: unknown) => {
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
      title={t("here.removeTitle", { name: a.name })}
      footer={
        <>
          <Button onClick={onClose} disabled={busy}>
            {t("here.keepIt")}
          </Button>
          <Button tone="danger" busy={busy} onClick={remove}>
            {t("here.removeIt")}
          </Button>
        </>
      }
    >
      <div className="col gap-2">
        {isUp(a) && <p>{t("here.removeRuns")}</p>}
        <p>{t(a.source === "file" ? "here.removeFile" : "here.removeDrawn")}</p>
        {a.variables.some((v) => v.from === "kept") && <p>{t("here.removeSecrets")}</p>}
        {error && <ErrorState title={t("here.removeFailed")}>{meaning(t, error)}</ErrorState>}
      </div>
    </Dialog>
  );
}
