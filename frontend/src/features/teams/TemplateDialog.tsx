import { useState } from "react";
import { useTranslation } from "react-i18next";
import { errorMeaning } from "@/i18n/problem";
import { useTeam } from "@/stores/team";
import { asApiError, type ApiError } from "@/stores/faults";
import { Button, Dialog, ErrorState, Field, Input, isEnter } from "@/ui";
import { keepTemplate } from "./actions";
import { closeDialog } from "./dialogs";

/** Keeps the open team as a template to start others from. */
export function TemplateDialog() {
  const { t } = useTranslation();
  const drawn = useTeam((s) => s.name),
    agents = useTeam((s) => s.topology.agents.length);
  const [name, setName] = useState(drawn),
    [why, setWhy] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const can = !!name.trim() && !busy;
  const keep = () => {
    if (!can) return;
    setBusy(true);
    keepTemplate(name.trim(), why.trim()).then(closeDialog, (e: unknown) => {
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
      title={t("library.keepTitle")}
      footer={
        <>
          <Button disabled={busy} onClick={closeDialog}>
            {t("common.cancel")}
          </Button>
          <Button tone="main" busy={busy} disabled={!can} onClick={keep}>
            {t("library.keepIt")}
          </Button>
        </>
      }
    >
      <div className="col gap-3 text-text">
        <p className="t2">{t("library.keepWhat", { agents: t("counts.agents", { count: agents }) })}</p>
        <Field label={t("library.templateName")}>
          {(f) => (
            <Input
              {...f}
              value={name}
              onText={setName}
              maxLength={200}
              autoFocus
              onKeyDown={(e) => {
                if (isEnter(e)) keep();
              }}
            />
          )}
        </Field>
        <Field label={t("library.templateWhy")}>
          {(f) => (
            <Input
              {...f}
              value={why}
              onText={setWhy}
              maxLength={300}
              onKeyDown={(e) => {
                if (isEnter(e)) keep();
              }}
            />
          )}
        </Field>
        {error && <ErrorState title={t("fault.create")}>{errorMeaning(t, error)}</ErrorState>}
      </div>
    </Dialog>
  );
}
