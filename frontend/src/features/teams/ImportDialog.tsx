import { Plus } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { gatewayName } from "@/i18n/gateway";
import { errorMeaning } from "@/i18n/problem";
import { useTeam } from "@/stores/team";
import { asApiError, type ApiError } from "@/stores/faults";
import { useGateways } from "@/stores/gateways";
import { Button, ColorSquare, Dialog, ErrorState, RadioGroup } from "@/ui";
import { importFrom, importsHere } from "./actions";
import { closeDialog } from "./dialogs";

/** Which gateway to draw, and where the picture will go. */
export function ImportDialog({ addGateway }: { addGateway: () => void }) {
  const { t } = useTranslation();
  const gateways = useGateways();
  const own = useTeam((s) => s.gateway),
    name = useTeam((s) => s.name);
  const usable = gateways.filter((g) => g.state === "connected");
  const [picked, setPicked] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const gateway = picked ?? (usable.find((g) => g.name === own) ?? usable[0])?.name ?? "";
  const chosen = gateways.find((g) => g.name === gateway);
  const run = () => {
    setBusy(true);
    setError(undefined);
    importFrom(gateway).then(closeDialog, (e: unknown) => {
      setError(asApiError(e));
      setBusy(false);
    });
  };
  return (
    <Dialog
      open
      onOpen={(o) => {
        if (!o && !busy) closeDialog();
      }}
      title={t("teams.importTitle")}
      footer={
        <>
          <Button
            tone="quiet"
            icon={Plus}
            disabled={busy}
            onClick={() => {
              closeDialog();
              addGateway();
            }}
          >
            {t("teams.addGateway")}
          </Button>
          <span className="grow" />
          <Button disabled={busy} onClick={closeDialog}>
            {t("common.cancel")}
          </Button>
          <Button tone="main" busy={busy} disabled={chosen?.state !== "connected"} onClick={run}>
            {t("teams.importIt")}
          </Button>
        </>
      }
    >
      <div className="col gap-3 text-text">
        <RadioGroup
          label={t("teams.importTitle")}
          value={gateway}
          onValue={setPicked}
          disabled={busy}
          options={gateways.map((g) => ({
            value: g.name,
            label: (
              <span className="row">
                <ColorSquare color={g.color} />
                <span className="cut">{gatewayName(t, g.name)}</span>
              </span>
            ),
            hint:
              g.state === "connected" ? (
                <span className="mono" translate="no">
                  {g.url}
                </span>
              ) : (
                t(`status.gateway.${g.state}`)
              ),
          }))}
        />
        <p className="t2">
          {chosen && chosen.state !== "connected"
            ? t("teams.importNotNow")
            : importsHere(gateway)
              ? t("teams.importHere", { name })
              : t("teams.importAsNew")}
        </p>
        {error && <ErrorState title={t("fault.import")}>{errorMeaning(t, error)}</ErrorState>}
      </div>
    </Dialog>
  );
}
