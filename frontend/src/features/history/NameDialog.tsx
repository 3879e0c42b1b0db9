import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { formatWhen } from "@/i18n/format";
import { errorMeaning } from "@/i18n/problem";
import { useTeam } from "@/stores/team";
import { teamActions } from "@/stores/teams";
import { asApiError, type ApiError } from "@/stores/faults";
import type { Version } from "@/topology";
import { Button, composing, Dialog, ErrorState, Field, Input } from "@/ui";

/** Gives a version a name, by which it is found again; an empty one takes the name away. */
export function NameDialog({
  version,
  onNamed,
  onClose,
}: {
  version: Version;
  onNamed: (v: Version) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const id = useTeam((s) => s.id);
  const [name, setName] = useState(version.name ?? "");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>();
  const submit = (e: FormEvent) => {
    e.preventDefault();
    setBusy(true);
    teamActions.nameVersion(id, version.id, name.trim()).then(
      (v) => {
        onNamed(v);
        onClose();
      },
      (err: unknown) => {
        setError(asApiError(err));
        setBusy(false);
      },
    );
  };
  return (
    <Dialog
      open
      onOpen={(o) => {
        if (!o && !busy) onClose();
      }}
      title={t("history.nameTitle", { when: formatWhen(version.at, true) })}
      footer={
        <>
          <Button disabled={busy} onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button tone="main" type="submit" form="name-version" busy={busy} disabled={!name.trim() && !version.name}>
            {t(version.name && !name.trim() ? "history.unname" : "history.nameIt")}
          </Button>
        </>
      }
    >
      <form
        id="name-version"
        onSubmit={submit}
        onKeyDown={(e) => {
          if (e.key === "Enter" && composing(e)) e.preventDefault();
        }}
        className="text-text"
      >
        <Field label={t("history.nameLabel")} hint={t("history.nameHint")}>
          {(ids) => (
            <Input
              {...ids}
              value={name}
              onText={setName}
              autoFocus
              maxLength={60}
              placeholder={t("history.namePlaceholder")}
            />
          )}
        </Field>
      </form>
      {error && <ErrorState title={t("history.nameFailed")}>{errorMeaning(t, error)}</ErrorState>}
    </Dialog>
  );
}
