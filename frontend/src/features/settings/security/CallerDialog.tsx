import { useState, type FormEvent, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { asApiError, type ApiError } from "@/stores/faults";
import { securityActions } from "@/stores/security";
import { useTeam } from "@/stores/team";
import { displayName, type Caller } from "@/topology";
import { Button, composing, Dialog, ErrorState, Field, Input, RadioGroup } from "@/ui";
import { meaning } from "./words";

const roles = ["reader", "tasks", "rooms"] as const;
type Props = {
  /** Who is changed; nobody: one is added. */ caller?: Caller;
  onClose: () => void;
  onMade: (name: string, token: string) => void;
};

const sameName = (a: string, b: string) => a.trim().toLowerCase() === b.normalize("NFC").trim().toLowerCase();

/** Adds a caller, or gives one another name and role. */
export function CallerDialog({ caller, onClose, onMade }: Props) {
  const { t } = useTranslation();
  const [name, setName] = useState(caller?.name ?? ""),
    [role, setRole] = useState<Caller["role"]>(caller?.role ?? "reader");
  const [rooms, setRooms] = useState((caller?.rooms ?? []).join(", ")),
    [as, setAs] = useState(caller?.as ?? "");
  const [tried, setTried] = useState(false),
    [busy, setBusy] = useState(false),
    [error, setError] = useState<ApiError>();
  const lacks = tried && !name.trim(),
    talks = role === "rooms",
    inRooms = rooms
      .split(/[,、\n]/)
      .map((r) => r.trim())
      .filter(Boolean);
  const lacksRooms = tried && talks && !inRooms.length,
    lacksAs = tried && talks && !as.trim();
  const agent = useTeam((s) => (talks ? s.topology.agents.map(displayName).find((n) => sameName(n, as)) : undefined));
  const submit = (e: FormEvent) => {
    e.preventDefault();
    setTried(true);
    if (!name.trim() || (talks && (!inRooms.length || !as.trim()))) return;
    setBusy(true);
    const edit = { name: name.trim(), role, ...(talks && { rooms: inRooms, as: as.trim() }) };
    const work = caller
      ? securityActions.changeCaller(caller.id, edit).then(onClose)
      : securityActions.addCaller(edit).then((token) => onMade(edit.name, token));
    work.catch((err: unknown) => {
      setError(asApiError(err));
      setBusy(false);
    });
  };
  const keepEnter = (e: KeyboardEvent) => {
    if (e.key === "Enter" && composing(e)) e.preventDefault();
  };
  return (
    <Dialog
      open
      onOpen={(open) => {
        if (!open && !busy) onClose();
      }}
      width={440}
      title={caller ? t("security.callers.editTitle", { name: caller.name }) : t("security.callers.add")}
      footer={
        <>
          <Button tone="quiet" disabled={busy} onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button tone="main" type="submit" form="caller-form" busy={busy}>
            {t(caller ? "security.save" : "security.callers.make")}
          </Button>
        </>
      }
    >
      <form
        id="caller-form"
        onSubmit={submit}
        onKeyDown={keepEnter}
        autoComplete="off"
        noValidate
        className="col gap-3 text-text"
      >
        <Field
          label={t("security.callers.name")}
          hint={t("security.callers.nameHint")}
          error={lacks && t("security.callers.nameEmpty")}
        >
          {(ids) => (
            <Input
              {...ids}
              value={name}
              onText={(v) => {
                setName(v);
                setError(undefined);
              }}
              maxLength={100}
              autoFocus
              invalid={lacks}
            />
          )}
        </Field>
        <RadioGroup
          label={t("security.callers.role")}
          value={role}
          onValue={setRole}
          options={roles.map((r) => ({ value: r, label: t(`security.role.${r}`), hint: t(`security.roleWhy.${r}`) }))}
        />
        {talks && (
          <>
            <Field
              label={t("security.callers.rooms")}
              hint={t("security.callers.roomsHint")}
              error={lacksRooms && t("security.callers.roomsEmpty")}
            >
              {(ids) => (
                <Input
                  {...ids}
                  value={rooms}
                  onText={(v) => {
                    setRooms(v);
                    setError(undefined);
                  }}
                  invalid={lacksRooms}
                />
              )}
            </Field>
            <Field
              label={t("security.callers.as")}
              hint={t("security.callers.asHint")}
              error={lacksAs && t("security.callers.nameEmpty")}
              warning={agent && t("security.callers.asAgent", { name: agent })}
            >
              {(ids) => (
                <Input
                  {...ids}
                  value={as}
                  onText={(v) => {
                    setAs(v);
                    setError(undefined);
                  }}
                  invalid={lacksAs}
                />
              )}
            </Field>
          </>
        )}
        {error && (
          <ErrorState title={t(caller ? "security.callers.changeFailed" : "security.callers.addFailed")}>
            {meaning(t, error)}
          </ErrorState>
        )}
      </form>
    </Dialog>
  );
}
