import { KeyRound } from "lucide-react";
import { useState, type FormEvent, type KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { formatList } from "@/i18n/format";
import { errorMeaning } from "@/i18n/problem";
import { asApiError, type ApiError } from "@/stores/faults";
import { providerActions } from "@/stores/providers";
import type { Provider, ProviderEdit } from "@/topology";
import { Button, Checkbox, composing, Dialog, ErrorState, Field, Input, Segmented, toast } from "@/ui";
import { readable } from "../readable";
import { useTeam } from "@/stores/team";
import { useOtherTeams } from "./otherTeams";
import { renameInTeam, usersOf } from "./rename";
import { addressFault, nameFault, nameFor } from "./form";
import { TrialResult } from "./TrialResult";
import { useTrial } from "./useTrial";

type Kind = Exclude<ProviderEdit["kind"], "demo">;
const kinds: readonly Kind[] = ["openai", "ollama", "llm-cli"];
const usual: Record<Kind, string> = { openai: "", ollama: "http://127.0.0.1:11434", "llm-cli": "" };

type Props = { provider?: Provider; all: Provider[]; onClose: () => void };

/** Adds a provider or changes one. The key goes to the hub's keyring and never comes back. */
export function ProviderDialog({ provider, all, onClose }: Props) {
  const { t } = useTranslation();
  const others = all.filter((p) => p.source === "file" && p.name !== provider?.name).map((p) => p.name);
  const [kind, setKind] = useState<Kind>(provider && provider.kind !== "demo" ? provider.kind : "openai");
  const [ownName, setOwnName] = useState(provider?.name);
  const [url, setUrl] = useState(provider?.baseUrl ?? "");
  const [command, setCommand] = useState(provider?.command ?? "llm");
  const [key, setKey] = useState("");
  const [standard, setStandard] = useState(provider?.default ?? false);
  const only = !provider && !all.some((p) => p.default);
  const [insecure, setInsecure] = useState(provider?.allowsInsecure ?? false);
  const [tried, setTried] = useState(false);
  const [saving, setSaving] = useState(false);
  const [error, setError] = useState<ApiError>();
  const trial = useTrial();
  const teams = useOtherTeams()((m) => !!provider && m.startsWith(`${provider.name}/`));
  const users = useTeam((s) => (provider ? usersOf(s.topology.agents, provider.name).length : 0));

  const renaming = [
    ...(users ? [t("models.renames", { count: users })] : []),
    ...(teams.length ? [t("models.renamesElsewhere", { count: teams.length, names: formatList(teams) })] : []),
  ];
  const name = ownName ?? (kind === "openai" ? nameFor(url, others) : kind === "ollama" ? "ollama" : "llm");
  const wrongName = nameFault(name, others),
    wrongUrl = addressFault(kind, url);
  const newPlace = !!provider?.hasKey && !provider.apiKeyEnv && url.trim() !== provider.baseUrl;
  const ofServer = (field: string) => (error?.details.field === field ? errorMeaning(t, error) : undefined);
  const inClear = kind !== "llm-cli" && readable(url) && (!!key || insecure || !!provider?.hasKey);
  const changed =
    <T,>(set: (v: T) => void) =>
    (v: T) => {
      set(v);
      setError(undefined);
      trial.clear();
    };
  const body = (): ProviderEdit => ({
    name: name.trim(),
    kind,
    baseUrl: kind === "llm-cli" ? undefined : url.trim(),
    command: kind === "llm-cli" ? command.trim() : undefined,
    key: key || undefined,
    insecure: inClear ? insecure : undefined,
    default: (standard && !provider?.default) || undefined,
  });
  const choose = (k: Kind) => {
    changed(setKind)(k);
    if (!url || url === usual[kind]) setUrl(usual[k]);
  };

  const test = () => {
    setTried(true);
    if (!wrongUrl && !wrongName) void trial.run(body());
  };
  const save = async () => {
    setTried(true);
    if (wrongName || wrongUrl) return;
    setSaving(true);
    try {
      const made = await (provider ? providerActions.save(provider.name, body()) : providerActions.add(body()));
      if (provider && made.name !== provider.name) renameInTeam(provider.name, made.name);
      onClose();
      toast({
        tone: "done",
        text: t(provider ? "models.saved" : "models.added", { name: made.name }),
        closeLabel: t("common.close"),
      });
    } catch (e) {
      setError(asApiError(e));
      setSaving(false);
    }
  };
  const submit = (e: FormEvent) => {
    e.preventDefault();
    void save();
  };
  const keepEnter = (e: KeyboardEvent) => {
    if (e.key === "Enter" && composing(e)) e.preventDefault();
  };
  return (
    <Dialog
      open
      onOpen={(open) => {
        if (!open && !saving) onClose();
      }}
      width={480}
      title={provider ? t("models.editTitle", { name: provider.name }) : t("models.add")}
      footer={
        <>
          <Button busy={trial.busy} disabled={saving} onClick={test}>
            {t(trial.verdict ? "models.testAgain" : "models.test")}
          </Button>
          <span className="grow" />
          <Button tone="quiet" disabled={saving} onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button tone="main" type="submit" form="provider-form" busy={saving}>
            {t(provider ? "models.save" : "common.add")}
          </Button>
        </>
      }
    >
      <form
        id="provider-form"
        onSubmit={submit}
        onKeyDown={keepEnter}
        autoComplete="off"
        noValidate
        className="text-text"
      >
        {!provider && (
          <div className="mb-3">
            <Segmented
              label={t("models.kindLabel")}
              value={kind}
              onValue={choose}
              options={kinds.map((value) => ({ value, label: t(`models.kind.${value}`) }))}
            />
          </div>
        )}
        {kind === "llm-cli" ? (
          <Field label={t("models.command")} hint={t("models.commandHint")}>
            {(ids) => <Input {...ids} value={command} onText={changed(setCommand)} mono autoFocus={!provider} />}
          </Field>
        ) : (
          <Field
            label={t("models.address")}
            hint={t(`models.addressHint.${kind}`)}
            error={(tried && wrongUrl && t(`models.fault.${wrongUrl}`)) || ofServer("baseUrl")}
          >
            {(ids) => (
              <Input
                {...ids}
                value={url}
                onText={changed(setUrl)}
                mono
                inputMode="url"
                autoFocus={!provider}
                placeholder="https://…/v1"
                invalid={tried && !!wrongUrl}
              />
            )}
          </Field>
        )}
        {kind !== "llm-cli" && !(provider?.apiKeyEnv && !newPlace) && (
          <Field
            label={t("models.key")}
            warning={newPlace && !key ? t("models.keyNewPlace") : undefined}
            hint={t("models.keyHint")}
            error={ofServer("key")}
          >
            {(ids) => (
              <Input
                {...ids}
                type="password"
                autoComplete="off"
                data-1p-ignore
                data-lpignore="true"
                icon={KeyRound}
                value={key}
                onText={changed(setKey)}
                mono
                placeholder={
                  provider?.hasKey && !newPlace ? t("models.keyPlaceholderKept") : t("models.keyPlaceholder")
                }
              />
            )}
          </Field>
        )}
        {inClear && <Checkbox label={t("models.insecure")} checked={insecure} onChecked={changed(setInsecure)} />}
        <Field
          label={t("models.name")}
          hint={t("models.nameHint", { name })}
          warning={
            provider && name.trim() !== provider.name
              ? renaming.reduce<string | undefined>((a, b) => (a ? t("common.sentences", { a, b }) : b), undefined)
              : undefined
          }
          error={(tried && wrongName && t(`models.fault.${wrongName}`)) || ofServer("name")}
        >
          {(ids) => (
            <Input
              {...ids}
              value={name}
              onText={changed((v: string) => setOwnName(v))}
              mono
              maxLength={100}
              invalid={tried && !!wrongName}
            />
          )}
        </Field>
        {!provider?.default && (
          <Checkbox
            label={t("models.useDefault")}
            hint={t(only ? "models.onlyDefault" : "models.defaultMeans")}
            checked={standard || only}
            disabled={only}
            onChecked={setStandard}
          />
        )}
      </form>
      <div className="mt-3 overflow-hidden rounded-[var(--r-2)]">
        <TrialResult busy={trial.busy} verdict={trial.verdict} onCancel={trial.cancel} />
      </div>
      {error && !["name", "baseUrl", "key"].includes(String(error.details.field)) && (
        <div className="mt-3">
          <ErrorState title={t("models.saveFailed")}>{errorMeaning(t, error)}</ErrorState>
        </div>
      )}
    </Dialog>
  );
}
