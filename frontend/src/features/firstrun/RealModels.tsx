import type { TFunction } from "i18next";
import { CircleCheck, CircleX, KeyRound, Laptop, LoaderCircle } from "lucide-react";
import type { FormEvent, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Verdict } from "@/i18n/trial";
import { useTeam, useTarget } from "@/stores/team";
import { whileTeamUndoes } from "@/stores/undoOffer";
import { providerActions, useProviders } from "@/stores/providers";
import { shortModel, updateAgents, type ProviderEdit } from "@/topology";
import { Button, cx, Input, toast } from "@/ui";
import { answeringOf, isSetUp } from "./answering";
import { useTried } from "./trials";
import { withScheme } from "./withScheme";

const demoAgents = () =>
  useTeam
    .getState()
    .topology.agents.filter((a) => a.model?.startsWith("demo/"))
    .map((a) => a.id);

/** Gives everybody who answers with the demo a real model, in one step that can be undone. */
function giveModel(model: string): number {
  const ids = demoAgents();
  if (ids.length) useTeam.getState().edit(`edit.models|${ids.length}`, (d) => updateAgents(d, ids, { model }));
  return ids.length;
}

/** The gateway that this team is for, if its agents run there with its models. */
function useElsewhere(): string | undefined {
  const target = useTarget();
  return target?.builtin === false ? target.name : undefined;
}

/** A local Ollama that was found, or any endpoint that is entered: tried with one question, then used. */
export function RealModels({ onSettings }: { onSettings: () => void }) {
  const { t } = useTranslation();
  const ollama = useProviders((s) => s.found.ollama);
  const ready = useProviders((s) => s.providers).filter(isSetUp);
  const agents = useTeam((s) => s.topology.agents),
    here = useTarget()?.builtin,
    elsewhere = useElsewhere(),
    providers = useProviders((s) => (here && s.state === "ready" ? s.providers : undefined));
  const applied = useTeam((s) => s.base?.topology.agents);
  const { how, model } = answeringOf(agents, providers, !!elsewhere, applied);
  return (
    <section className="border-t border-line px-5 py-4">
      <h3 className="mb-1">{t("firstrun.models")}</h3>
      <p className="t2 mb-2">{t(`firstrun.models${how}`, { model, gateway: elsewhere })}</p>
      {ready.map((p) => (
        <Usable
          key={p.name}
          edit={{ name: p.name, kind: p.kind, baseUrl: p.baseUrl, command: p.command }}
          title={p.name}
          caption={t("firstrun.setUp")}
          known
        />
      ))}
      {ollama && (
        <Usable
          edit={{ name: "ollama", kind: "ollama", baseUrl: ollama.baseUrl }}
          title="Ollama"
          caption={foundText(t, ollama.models)}
          model={ollama.models[0]}
        />
      )}
      <Endpoint />
      <Button size="sm" tone="quiet" onClick={onSettings}>
        {t("firstrun.allModels")}
      </Button>
    </section>
  );
}

const foundText = (t: TFunction, models: string[]) =>
  models[0]
    ? models.length > 1
      ? t("firstrun.foundMore", { model: models[0], count: models.length - 1 })
      : t("firstrun.foundOne", { model: models[0] })
    : t("firstrun.foundEmpty");

/** Adds the provider unless it is known, gives its model to the agents, and says what came of it. */
function useGiving() {
  const { t } = useTranslation();
  const elsewhere = useElsewhere();
  return async (edit: ProviderEdit, model: string, known?: boolean) => {
    if (!known) await providerActions.add({ ...edit, default: true });
    const n = elsewhere ? 0 : giveModel(model);
    toast({
      tone: "done",
      text: n
        ? t("firstrun.inUse", { model: shortModel(model), count: n })
        : t(elsewhere ? "firstrun.addedHere" : "firstrun.added", { model: shortModel(model), gateway: elsewhere }),
      closeLabel: t("common.close"),
      action: n ? { label: t("common.undo"), run: () => void useTeam.getState().undo() } : undefined,
      while: n ? whileTeamUndoes(`edit.models|${n}`) : undefined,
    });
  };
}

function Usable({
  edit,
  title,
  caption,
  model,
  known,
}: {
  edit: ProviderEdit;
  title: string;
  caption: string;
  model?: string;
  known?: boolean;
}) {
  const { t } = useTranslation();
  const e = useTried(edit.name),
    give = useGiving(),
    elsewhere = useElsewhere();
  const demo = useTeam((s) => s.topology.agents.some((a) => a.model?.startsWith("demo/")));
  const start = async () => {
    const asked = model ? `${edit.name}/${model}` : (await e.test(t, edit))?.model;
    if (asked) await e.use(t, () => give(edit, asked, known));
  };
  return (
    <div className="mb-2 overflow-hidden rounded-[var(--r-2)] border border-line-2">
      <div className="row px-3 pt-2 pb-1">
        <Laptop size={16} className="t2" aria-hidden />
        <span className="col grow">
          <b className="cut" translate="no">
            {title}
          </b>
          <span className="cap cut" title={caption}>
            {caption}
          </span>
        </span>
      </div>
      <div className="row justify-end px-3 pb-2">
        <Button
          size="sm"
          tone="quiet"
          busy={e.busy === "test"}
          disabled={!!e.busy}
          onClick={() => void e.test(t, edit, model)}
        >
          {t("models.test")}
        </Button>
        {demo && !elsewhere && (
          <Button
            size="sm"
            tone={known ? undefined : "main"}
            busy={e.busy === "use"}
            disabled={!!e.busy}
            onClick={() => void start()}
          >
            {t("firstrun.useIt")}
          </Button>
        )}
      </div>
      <Said busy={e.busy === "test"} verdict={e.verdict} />
    </div>
  );
}

/** One field for an address; the key beside it, since most want one. */
function Endpoint() {
  const { t } = useTranslation();
  const { url, key, good, ...e } = useTried(""),
    give = useGiving(),
    elsewhere = useElsewhere();
  const taken = useProviders((s) => s.providers)
    .filter((p) => p.source === "file")
    .map((p) => p.name);
  const edit = (): ProviderEdit => ({
    name: freeName(taken),
    kind: "openai",
    baseUrl: withScheme(url),
    key: key || undefined,
  });
  const submit = async (ev: FormEvent) => {
    ev.preventDefault();
    if (!url.trim()) return;
    if (good) await e.use(t, () => give(edit(), good.model ?? ""));
    else await e.test(t, edit());
  };
  return (
    <form
      className="mb-2"
      onSubmit={(ev) => void submit(ev)}
      autoComplete="off"
      noValidate
      aria-label={t("firstrun.endpoint")}
    >
      <label className="col gap-1">
        <span className="cap">{t("firstrun.endpoint")}</span>
        <Input value={url} onText={(v) => e.enter({ url: v })} mono inputMode="url" placeholder="https://…/v1" />
      </label>
      {url.trim() && (
        <label className="col mt-2 gap-1">
          <span className="cap">{t("models.key")}</span>
          <Input
            type="password"
            autoComplete="off"
            data-1p-ignore
            data-lpignore="true"
            icon={KeyRound}
            value={key}
            onText={(v) => e.enter({ key: v })}
            mono
            placeholder={t("models.keyPlaceholder")}
          />
        </label>
      )}
      <div className="row mt-2">
        <Button type="submit" size="sm" tone={good ? "main" : undefined} busy={!!e.busy} disabled={!url.trim()}>
          {t(!good ? "models.test" : elsewhere ? "firstrun.addIt" : "firstrun.useIt")}
        </Button>
        {url.trim() && <span className="cap grow">{t("firstrun.keyWhere")}</span>}
      </div>
      <div className="mt-2 overflow-hidden rounded-[var(--r-2)]">
        <Said busy={e.busy === "test"} verdict={e.verdict} />
      </div>
    </form>
  );
}

function freeName(taken: string[]): string {
  let name = "openai";
  for (let n = 2; taken.includes(name); n++) name = `openai-${n}`;
  return name;
}

function Said({ busy, verdict: v }: { busy: boolean; verdict?: Verdict }): ReactNode {
  const { t } = useTranslation();
  const Icon = v?.good ? CircleCheck : CircleX;
  return (
    <div aria-live="polite">
      {busy && (
        <p className="row px-3 py-2">
          <LoaderCircle size={14} className="spin" aria-hidden />
          {t("models.testing")}
        </p>
      )}
      {!busy && v && (
        <p className={cx("flex gap-2 px-3 py-2", v.good ? "bg-done-soft" : "bg-failed-soft")}>
          <Icon size={16} className={v.good ? "text-done" : "text-failed"} aria-hidden />
          <span className="min-w-0 break-words">
            <b>{v.title}</b> {v.text}
          </span>
        </p>
      )}
    </div>
  );
}
