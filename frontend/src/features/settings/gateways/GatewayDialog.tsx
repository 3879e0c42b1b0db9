import { KeyRound, LoaderCircle } from "lucide-react";
import { useState, type FormEvent, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { errorMeaning } from "@/i18n/problem";
import { asApiError, type ApiError } from "@/stores/faults";
import { gatewayActions } from "@/stores/gateways";
import type { Gateway, GatewayEdit } from "@/topology";
import { Button, Checkbox, composing, cx, Dialog, ErrorState, Field, Input, statusIcon, toast } from "@/ui";
import { CopyCommand } from "../CopyCommand";
import { FingerprintField, PresentedCertificate } from "./Certificate";
import { ColorChoice } from "./ColorChoice";
import { readable } from "../readable";
import { addressFault, isFingerprint, nameFault, usesTLS } from "./form";
import { Raw } from "./GatewayTrouble";
import { firstField, freeColor, presented, testOutcome, type Outcome } from "./state";

type Props = {
  gateway?: Gateway;
  /** What a new one begins with. */ address?: string;
  all: Gateway[];
  onClose: () => void;
};

/** Adds a gateway or changes one. The token goes to the hub's keyring and never comes back. */
export function GatewayDialog({ gateway, address = "", all, onClose }: Props) {
  const { t } = useTranslation();
  const [name, setName] = useState(gateway?.name ?? (address ? "OpenClaw" : ""));
  const [url, setUrl] = useState(gateway?.url ?? address);
  const [token, setToken] = useState("");
  const [fingerprint, setFingerprint] = useState(gateway?.fingerprint ?? "");
  const [color, setColor] = useState(gateway?.color ?? freeColor(all));
  const [standard, setStandard] = useState(gateway?.default ?? false);
  const [insecure, setInsecure] = useState(gateway?.allowsInsecure ?? false);
  /** How much has been asked for: faults of the fields show from then on. */
  const [tried, setTried] = useState<"" | "test" | "save">("");
  const [busy, setBusy] = useState<"test" | "save">();
  const first = firstField(gateway);
  const [error, setError] = useState<ApiError>();
  const [outcome, setOutcome] = useState(() =>
    gateway && presented(gateway) ? testOutcome(t, gateway) : (undefined as Outcome | undefined),
  );

  const others = all.map((g) => g.name).filter((n) => n !== gateway?.name);
  const wrongName = nameFault(name, others),
    wrongUrl = addressFault(url);
  const refused = error && ["name", "url", "fingerprint"].find((f) => error.details.field === f);
  const ofServer = (field: "name" | "url") =>
    refused !== field
      ? undefined
      : field === "url"
        ? t(`settings.gateways.addressFault.${error?.details.reason === "readable" ? "readable" : "refused"}`)
        : t(`settings.gateways.nameFault.${error?.code === "CONFLICT" ? "taken" : "refused"}`);
  const newPlace = !!gateway?.hasToken && url.trim() !== gateway.url;
  const wrongPrint = usesTLS(url) && !!fingerprint.trim() && !isFingerprint(fingerprint);
  const inClear = readable(url) && (!!token || insecure || !!gateway?.hasToken);
  const body = (): GatewayEdit => ({
    name: name.trim(),
    url: url.trim(),
    color,
    insecure: inClear ? insecure : undefined,
    default: standard || undefined,
    token: token || undefined,
    fingerprint: usesTLS(url) ? fingerprint.trim() : undefined,
  });
  const changed =
    <T,>(set: (v: T) => void) =>
    (v: T) => {
      set(v);
      setError(undefined);
      setOutcome(undefined);
    };

  /** A saved fingerprint belongs to its URL, as the token does. */
  const changeUrl = (v: string) => {
    const saved = gateway?.fingerprint ?? "";
    if (v.trim() === gateway?.url) setFingerprint(fingerprint || saved);
    else if (fingerprint === saved) setFingerprint("");
    changed(setUrl)(v);
  };

  const test = async () => {
    setTried(tried || "test");
    if (wrongUrl || wrongPrint) return;
    setBusy("test");
    setOutcome(undefined);
    try {
      setOutcome(testOutcome(t, await gatewayActions.test({ ...body(), name: name.trim() || "test" })));
    } catch (e) {
      setError(asApiError(e));
    }
    setBusy(undefined);
  };
  const save = async () => {
    setTried("save");
    if (wrongName || wrongUrl || wrongPrint) return;
    setBusy("save");
    try {
      const made = await (gateway ? gatewayActions.save(gateway.name, body()) : gatewayActions.add(body()));
      setToken("");
      onClose();
      toast({
        tone: "done",
        text: t(gateway ? "settings.gateways.saved" : "settings.gateways.added", { name: made.name }),
        closeLabel: t("common.close"),
      });
    } catch (e) {
      setError(asApiError(e));
      setBusy(undefined);
    }
  };
  const submit = (e: FormEvent) => {
    e.preventDefault();
    void save();
  };
  const keepEnter = (e: KeyboardEvent) => {
    if (e.key === "Enter" && composing(e)) e.preventDefault();
  };
  const Icon = outcome && statusIcon[outcome.status];
  return (
    <Dialog
      open
      onOpen={(open) => {
        if (!open && !busy) onClose();
      }}
      width={480}
      title={gateway ? t("settings.gateways.editTitle", { name: gateway.name }) : t("settings.gateways.add")}
      footer={
        <>
          <Button busy={busy === "test"} disabled={!!busy} onClick={() => void test()}>
            {t("settings.gateways.testIt")}
          </Button>
          <span className="grow" />
          <Button tone="quiet" disabled={!!busy} onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button tone="main" type="submit" form="gateway-form" busy={busy === "save"} disabled={!!busy}>
            {t(gateway ? "settings.gateways.save" : "common.add")}
          </Button>
        </>
      }
    >
      <form
        id="gateway-form"
        onSubmit={submit}
        onKeyDown={keepEnter}
        autoComplete="off"
        noValidate
        className="text-text"
      >
        <Field
          label={t("settings.gateways.name")}
          error={(tried === "save" && wrongName && t(`settings.gateways.nameFault.${wrongName}`)) || ofServer("name")}
        >
          {(ids) => (
            <Input
              {...ids}
              value={name}
              onText={changed(setName)}
              autoFocus={first === "name"}
              placeholder={t("settings.gateways.namePlaceholder")}
              maxLength={100}
              invalid={tried === "save" && !!wrongName}
            />
          )}
        </Field>
        <Field
          label={t("settings.gateways.address")}
          hint={t("settings.gateways.addressHint")}
          error={(!!tried && wrongUrl && t(`settings.gateways.addressFault.${wrongUrl}`)) || ofServer("url")}
        >
          {(ids) => (
            <Input
              {...ids}
              value={url}
              onText={changeUrl}
              autoFocus={first === "url"}
              mono
              inputMode="url"
              placeholder="wss://gateway.example:18789"
              invalid={!!tried && !!wrongUrl}
            />
          )}
        </Field>
        <Field
          label={t("settings.gateways.token")}
          warning={newPlace && !token ? t("settings.gateways.tokenNewPlace") : undefined}
          hint={t("settings.gateways.tokenHint")}
        >
          {(ids) => (
            <Input
              {...ids}
              type="password"
              autoComplete="off"
              data-1p-ignore
              data-lpignore="true"
              icon={KeyRound}
              value={token}
              onText={changed(setToken)}
              autoFocus={first === "token"}
              mono
              placeholder={
                gateway?.hasToken && !newPlace
                  ? t("settings.gateways.tokenPlaceholderKept")
                  : t("settings.gateways.tokenPlaceholder")
              }
            />
          )}
        </Field>
        {usesTLS(url) && (
          <FingerprintField
            value={fingerprint}
            onValue={changed(setFingerprint)}
            wrong={(!!tried && wrongPrint) || refused === "fingerprint"}
            focus={first === "fingerprint"}
          />
        )}
        {inClear && (
          <Checkbox label={t("settings.gateways.allowInsecure")} checked={insecure} onChecked={changed(setInsecure)} />
        )}
        <ColorChoice value={color} onValue={setColor} label={t("settings.gateways.color")} />
        {!gateway?.default && (
          <Checkbox label={t("settings.gateways.useForNew")} checked={standard} onChecked={setStandard} />
        )}
      </form>
      <div aria-live="polite" className="col gap-2">
        {busy === "test" && (
          <p className="row mt-3">
            <LoaderCircle size={14} className="spin" aria-hidden />
            {t("settings.gateways.testing")}
          </p>
        )}
        {outcome && Icon && (
          <div className="mt-3 flex gap-2 rounded-[var(--r-2)] border border-line-2 bg-surface-2 px-3 py-2 text-text">
            <span className={cx(`s-${outcome.status}`, "sc mt-px")}>
              <Icon size={16} aria-hidden />
            </span>
            <div className="col grow gap-2">
              <p>{outcome.text}</p>
              {outcome.command && <CopyCommand text={outcome.command} />}
              {outcome.fingerprint && (
                <PresentedCertificate
                  fingerprint={outcome.fingerprint}
                  trusted={fingerprint === outcome.fingerprint}
                  onTrust={(trust) => setFingerprint(trust ? (outcome.fingerprint ?? "") : "")}
                />
              )}
            </div>
          </div>
        )}
        {refused && error && <Raw text={error.message} />}
        {error && !refused && (
          <div className="mt-3">
            <ErrorState title={t("settings.gateways.saveFailed")}>{errorMeaning(t, error)}</ErrorState>
          </div>
        )}
      </div>
    </Dialog>
  );
}
