import {
  Cpu,
  Ellipsis,
  Globe,
  KeyRound,
  Laptop,
  Pencil,
  RefreshCw,
  SquareTerminal,
  Star,
  Trash2,
  type LucideIcon,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import { attempt } from "@/stores/faults";
import { asEdit, providerActions, useProviders } from "@/stores/providers";
import { providerTrouble } from "@/i18n/trial";
import type { Offer, Provider } from "@/topology";
import { Badge, Button, IconButton, Menu, StatusBadge, type MenuItem, type Status } from "@/ui";
import { CopyCommand } from "../CopyCommand";
import { ModelTable } from "./ModelTable";
import { TrialResult } from "./TrialResult";
import { useTrial } from "./useTrial";

const icons: Record<Provider["kind"], LucideIcon> = {
  openai: Globe,
  ollama: Laptop,
  "llm-cli": SquareTerminal,
  demo: Cpu,
};

type Props = { provider: Provider; query: string; onEdit: () => void; onRemove: () => void };

/** One provider: where it is, how it stands, and what it offers. */
export function ProviderCard({ provider: p, query, onEdit, onRemove }: Props) {
  const { t } = useTranslation();
  const offer = useProviders((s) => s.offers[p.name]),
    asked = useProviders((s) => p.name in s.asked);
  const trial = useTrial();
  const Icon = icons[p.kind];
  const demo = p.kind === "demo",
    own = p.source === "file";
  const items: MenuItem[] = [
    ...(p.default || demo
      ? []
      : [
          {
            label: t("models.makeDefault"),
            icon: Star,
            onSelect: () =>
              void attempt("provider", () => providerActions.save(p.name, { ...asEdit(p), default: true })),
          },
        ]),
    ...(own
      ? [
          { label: t("models.edit"), icon: Pencil, onSelect: onEdit },
          { kind: "separator" as const },
          { label: t("models.remove"), icon: Trash2, danger: true, onSelect: onRemove },
        ]
      : []),
  ];
  const failure = p.problem ?? offer?.error;
  const verdict = trial.verdict ?? (failure && !trial.busy ? providerTrouble(t, failure) : undefined);
  return (
    <article
      className="overflow-hidden rounded-[var(--r-2)] border border-line-2"
      aria-label={demo ? t("models.demoName") : p.name}
    >
      <header className="row min-h-11 flex-wrap gap-y-1 bg-surface-2 py-1.5 pr-1.5 pl-3">
        <Icon size={16} className="t2" aria-hidden />
        <h2 className="cut">{demo ? t("models.demoName") : <span translate="no">{p.name}</span>}</h2>
        {demo ? <Badge>{t("models.demoBadge")}</Badge> : <State provider={p} offer={asked ? undefined : offer} />}
        {p.default && <Badge>{t("common.default")}</Badge>}
        <span className="grow" />
        {(p.source === "environment" || p.source === "found") && (
          <span className="cap" title={t("models.readOnly")}>
            {t(`models.source.${p.source}`)}
          </span>
        )}
        <Button size="sm" busy={trial.busy} disabled={!!p.problem} onClick={() => void trial.run(asEdit(p))}>
          {t(trial.verdict ? "models.testAgain" : "models.test")}
        </Button>
        {!demo && (
          <IconButton
            icon={RefreshCw}
            size="sm"
            label={t("models.refresh")}
            disabled={asked}
            onClick={() => void providerActions.ask(p.name)}
          />
        )}
        {items.length > 0 ? (
          <Menu
            align="end"
            items={items}
            trigger={<IconButton icon={Ellipsis} size="sm" label={t("models.moreOf", { name: p.name })} />}
          />
        ) : (
          <span className="w-1" />
        )}
      </header>
      {demo ? (
        <div className="border-t border-line px-3 py-2.5">
          <p className="t2">{t("models.demoWhy")}</p>
        </div>
      ) : (
        <Facts provider={p} />
      )}
      <TrialResult busy={trial.busy} verdict={verdict} onCancel={trial.cancel} />
      {p.kind === "ollama" && offer && !offer.error && !offer.models.length && (
        <div className="col gap-2 border-t border-line px-3 py-2.5">
          <p>{t("models.emptyOllama")}</p>
          <CopyCommand text="ollama pull qwen3:8b" />
        </div>
      )}
      {offer && !demo && (
        <ModelTable
          provider={p.name}
          models={offer.models}
          query={query}
          known={!offer.error}
          onTest={(model) => void trial.run(asEdit(p), model)}
        />
      )}
    </article>
  );
}

function State({ provider: p, offer }: { provider: Provider; offer?: Offer }) {
  const { t } = useTranslation();
  const [status, text]: [Status, string] = p.problem
    ? ["failed", t("models.unusable")]
    : !offer
      ? ["running", t("models.asking")]
      : offer.error
        ? ["failed", t(offer.error.code === "UNAUTHORIZED" ? "models.keyRejected" : "models.notThere")]
        : offer.models.length
          ? ["done", t("models.connected", { count: offer.models.length })]
          : ["waiting", t("models.empty")];
  return <StatusBadge status={status}>{text}</StatusBadge>;
}

function Facts({ provider: p }: { provider: Provider }) {
  const { t } = useTranslation();
  const key = p.apiKeyEnv
    ? t(p.hasKey ? "models.keyEnv" : "models.keyEnvEmpty", { name: p.apiKeyEnv })
    : t(p.hasKey ? "models.keyKept" : "models.keyNone");
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 border-t border-line px-3 py-2.5 text-12">
      {p.baseUrl && (
        <>
          <dt className="t3">{t("models.address")}</dt>
          <dd className="mono truncate" title={p.baseUrl} translate="no">
            {p.baseUrl}
          </dd>
        </>
      )}
      {p.kind === "llm-cli" ? (
        <>
          <dt className="t3">{t("models.command")}</dt>
          <dd className="mono truncate" translate="no">
            {p.command ?? "llm"}
          </dd>
        </>
      ) : (
        <>
          <dt className="t3">{t("models.key")}</dt>
          <dd className="row gap-1">
            {p.hasKey && <KeyRound size={12} className="t3" aria-hidden />}
            {key}
          </dd>
        </>
      )}
    </dl>
  );
}
