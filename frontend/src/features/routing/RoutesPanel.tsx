import { Plus, Route as RouteIcon, X } from "lucide-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { channelName } from "@/flow/bindingWords";
import { errorMeaning } from "@/i18n/problem";
import { attempt } from "@/stores/faults";
import { useAnswer, useRoutes } from "@/stores/messageRoutes";
import { useRouting } from "@/stores/routing";
import { useTargetGone } from "@/stores/targetGone";
import { useTeam } from "@/stores/team";
import type { RouteChannel, RouteTable, Verdict } from "@/topology";
import { Badge, Banner, Button, EmptyState, ErrorState, IconButton, PanelHead, Skeleton } from "@/ui";
import { AgentFace } from "./AgentFace";
import { BindingForm } from "./BindingForm";
import { BindingRow } from "./BindingRow";
import { Broadcast } from "./Broadcast";
import { WhoAnswers } from "./WhoAnswers";
import "./routing.css";

type Props = { onClose: () => void; /** Nothing can be changed. */ viewOnly?: boolean };

/** Which agent answers which messages: the channels, the bindings in the gateway's order, and a question. */
export function RoutesPanel({ onClose, viewOnly }: Props) {
  const { t } = useTranslation();
  const { data, error, again } = useRoutes();
  return (
    <div className="col h-full min-h-0">
      <PanelHead>
        <RouteIcon size={16} aria-hidden />
        <b className="grow">{t("routes.title")}</b>
        <IconButton icon={X} size="sm" label={t("common.close")} onClick={onClose} />
      </PanelHead>
      <div className="scroll">
        {data ? (
          <Table table={data} viewOnly={viewOnly} />
        ) : error ? (
          <div className="pad">
            <ErrorState
              title={t("routes.failed")}
              actions={
                <Button size="sm" onClick={again}>
                  {t("common.retry")}
                </Button>
              }
            >
              {errorMeaning(t, error)}
            </ErrorState>
          </div>
        ) : (
          <div className="pad">
            <Skeleton lines={8} label={t("routes.loading")} />
          </div>
        )}
      </div>
    </div>
  );
}

function Table({ table, viewOnly }: { table: RouteTable; viewOnly?: boolean }) {
  const { t } = useTranslation();
  const gateway = useTeam((s) => s.gateway),
    asked = useRouting((s) => s.asked);
  useEffect(() => () => useRouting.setState({ asked: undefined, edited: undefined, cast: undefined }), []);
  const gone = useTargetGone();
  const answer = useAnswer(asked),
    group = asked && answer.data?.group,
    verdicts = asked && group === undefined ? answer.data?.verdicts : undefined,
    empty = !table.rules.length && !table.groups.length;
  if (gone && empty)
    return (
      <EmptyState icon={RouteIcon} title={t("routes.none.title")}>
        {t("teams.targetGone", { gateway: gone })}
      </EmptyState>
    );
  if (!table.supported && empty)
    return (
      <EmptyState icon={RouteIcon} title={t("routes.none.title")}>
        {t("routes.none.why")}
      </EmptyState>
    );
  return (
    <>
      {table.missing && (
        <Banner
          tone="waiting"
          actions={
            !viewOnly && (
              <Button size="sm" onClick={() => void attempt("import", () => useTeam.getState().importGateway(gateway))}>
                {t("routes.import")}
              </Button>
            )
          }
        >
          {t("routes.missing")}
        </Banner>
      )}
      {table.supported && !table.known && <Banner>{t("routes.unknownConfig")}</Banner>}
      <WhoAnswers
        table={table}
        asked={asked}
        onAsk={(from) => useRouting.setState({ asked: from })}
        answer={answer}
        viewOnly={viewOnly}
      />
      <Broadcast table={table} answers={group} viewOnly={viewOnly} />
      <Bindings table={table} verdicts={verdicts} viewOnly={viewOnly} />
      {table.known && <Channels channels={table.channels} owned={!!table.default} />}
    </>
  );
}

type BindingsProps = { table: RouteTable; verdicts?: Verdict[]; viewOnly?: boolean };

function Bindings({ table, verdicts, viewOnly }: BindingsProps) {
  const { t } = useTranslation();
  const edited = useRouting((s) => s.edited),
    picked = useRouting((s) => s.at);
  const setEdited = (at: number | "new" | undefined) => useRouting.setState({ edited: at });
  const close = () => setEdited(undefined),
    numberOf = (at: number) => table.rules.findIndex((r) => r.at === at) + 1;
  return (
    <section className="routes-part" aria-labelledby="routes-bindings">
      <h2 id="routes-bindings">{t("routes.bindings")}</h2>
      <p className="cap">{t(table.rules.length ? "routes.bindingsWhy" : "routes.noBindings")}</p>
      <ol className="routes-list">
        {table.rules.map((rule, i) =>
          edited === rule.at ? (
            <li key={rule.at}>
              <BindingForm channels={table.channels} rule={rule} number={i + 1} onClose={close} />
            </li>
          ) : (
            <BindingRow
              key={rule.at}
              rule={rule}
              number={i + 1}
              numberOf={numberOf}
              above={table.rules[i - 1]}
              below={table.rules[i + 1]}
              verdict={verdicts?.find((v) => v.at === rule.at)}
              viewOnly={viewOnly}
              picked={picked.includes(rule.at)}
              onEdit={() => setEdited(rule.at)}
            />
          ),
        )}
        <li className="routes-row">
          <span className="routes-number" aria-hidden>
            ∗
          </span>
          <span className="col grow min-w-0">
            {table.default ? <AgentFace id={table.default} /> : <b>{t("routes.restNobody")}</b>}
            <span className="cap">{t("routes.rest")}</span>
          </span>
        </li>
      </ol>
      {edited === "new" ? (
        <BindingForm channels={table.channels} onClose={close} />
      ) : (
        !viewOnly && (
          <Button icon={Plus} className="self-start" onClick={() => setEdited("new")}>
            {t("routes.add")}
          </Button>
        )
      )}
    </section>
  );
}

function Channels({ channels, owned }: { channels: RouteChannel[]; owned: boolean }) {
  const { t } = useTranslation();
  return (
    <section className="routes-part" aria-labelledby="routes-channels">
      <h2 id="routes-channels">{t("routes.channels")}</h2>
      {!channels.length && <p className="cap">{t("routes.noChannels")}</p>}
      <ul className="routes-list">
        {channels.map((c) => (
          <li key={c.id} className="routes-row">
            <span className="col grow min-w-0">
              <span className="row gap-2">
                <b className="cut">{channelName(c.id)}</b>
                {!c.enabled && <Badge>{t("routes.off")}</Badge>}
              </span>
              {!!c.notes?.length && (
                <span className="cap">{t(owned ? "routes.defaultOnly" : "routes.nobodyAnswers")}</span>
              )}
            </span>
            <span className="routes-accounts">
              {c.accounts.map((a) => (
                <Badge key={a.id} title={a.id}>
                  {a.name ?? (a.id === "default" ? t("routes.defaultAccount") : a.id)}
                  {c.enabled && !a.enabled && ` · ${t("routes.off")}`}
                </Badge>
              ))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
