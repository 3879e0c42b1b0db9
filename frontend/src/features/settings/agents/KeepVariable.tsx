import { KeyRound } from "lucide-react";
import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { asApiError, type ApiError } from "@/stores/faults";
import { localAgentActions } from "@/stores/localAgents";
import type { LocalAgent, LocalVariable } from "@/topology";
import { Button, Dialog, ErrorState, Field, Input } from "@/ui";
import { meaning } from "./words";

/** Keeps a secret for an agent. It goes to the hub's keyring and never comes back. */
export function KeepVariable({
  agent: a,
  variable: v,
  onClose,
}: {
  agent: LocalAgent;
  variable: LocalVariable;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const [value, setValue] = useState(""),
    [busy, setBusy] = useState(false),
    [error, setError] = useState<ApiError>();
  const keep = (text: string) => {
    setBusy(true);
    localAgentActions.keep(a.id, v.name, text).then(onClose, (e: unknown) => {
      setError(asApiError(e));
      setBusy(false);
    });
  };
  const submit = (e: FormEvent) => {
    e.preventDefault();
    if (value) keep(value);
  };
  return (
    <Dialog
      open
      onOpen={(open) => {
        if (!open && !busy) onClose();
      }}
      title={t("here.setIt", { name: v.name })}
      footer={
        <>
          {v.from === "kept" && (
            <Button tone="danger" disabled={busy} onClick={() => keep("")}>
              {t("here.forget")}
            </Button>
          )}
          <span className="grow" />
          <Button tone="quiet" disabled={busy} onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button tone="main" type="submit" form="variable-form" busy={busy} disabled={!value}>
            {t("here.set")}
          </Button>
        </>
      }
    >
      <form id="variable-form" onSubmit={submit} autoComplete="off" noValidate className="text-text">
        <Field label={t("here.value")} hint={t("here.valueHint")}>
          {(ids) => (
            <Input
              {...ids}
              type="password"
              autoComplete="off"
              data-1p-ignore
              data-lpignore="true"
              icon={KeyRound}
              mono
              value={value}
              onText={setValue}
              autoFocus
            />
          )}
        </Field>
        {error && <ErrorState title={t("here.keepFailed")}>{meaning(t, error)}</ErrorState>}
      </form>
    </Dialog>
  );
}
