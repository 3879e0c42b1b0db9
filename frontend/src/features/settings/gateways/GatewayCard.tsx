import type { TFunction } from "i18next";
import { Download, Ellipsis, KeyRound, Pencil, RotateCw, Star, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { gatewayName } from "@/i18n/gateway";
import { attempt } from "@/stores/faults";
import { gatewayActions } from "@/stores/gateways";
import type { Gateway } from "@/topology";
import { Badge, Button, ColorSquare, IconButton, Menu, StatusBadge, type MenuItem } from "@/ui";
import { dialectText, latencyText, statusOf } from "./state";
import { GatewayTrouble } from "./GatewayTrouble";

type Props = { gateway: Gateway; onImport: () => void; onEdit: () => void; onRemove: () => void };

/** One gateway: what it is called, where it is, how its link stands, and what can be done about it. */
export function GatewayCard({ gateway: g, onImport, onEdit, onRemove }: Props) {
  const { t } = useTranslation();
  const fixed = g.builtin || !!g.tokenEnv;
  const reconnect = () => void attempt("reconnect", () => gatewayActions.reconnect(g.name));
  const makeDefault = () =>
    void attempt("gateway", () =>
      gatewayActions.save(g.name, { name: g.name, url: g.url, color: g.color, default: true }),
    );
  const items: MenuItem[] = [
    ...(g.default ? [] : [{ label: t("settings.gateways.makeDefault"), icon: Star, onSelect: makeDefault }]),
    ...(fixed
      ? []
      : [
          { label: t("settings.gateways.edit"), icon: Pencil, onSelect: onEdit },
          { kind: "separator" as const },
          { label: t("settings.gateways.remove"), icon: Trash2, danger: true, onSelect: onRemove },
        ]),
  ];
  const how = dialectText(t, g);
  return (
    <article className="overflow-hidden rounded-[var(--r-2)] border border-line-2" aria-label={g.name}>
      <header className="row min-h-11 flex-wrap gap-y-1 bg-surface-2 py-1.5 pr-1.5 pl-3">
        <ColorSquare color={g.color} />
        <h2 className="cut" title={gatewayName(t, g.name)}>
          {gatewayName(t, g.name)}
        </h2>
        <StatusBadge status={statusOf(g.state)}>{t(`status.gateway.${g.state}`)}</StatusBadge>
        {g.default && <Badge>{t("common.default")}</Badge>}
        {g.drift && (
          <Badge tone="chg" title={t("settings.gateways.driftWhy")}>
            {t("settings.gateways.drift")}
          </Badge>
        )}
        <span className="row ml-auto flex-none">
          {g.state === "connected" && !g.builtin && <span className="cap num">{latencyText(t, g)}</span>}
          {g.state === "connected" && (
            <Button size="sm" icon={Download} onClick={onImport}>
              {t("settings.gateways.import")}
            </Button>
          )}
          {!g.builtin && (
            <IconButton icon={RotateCw} size="sm" label={t("settings.gateways.reconnect")} onClick={reconnect} />
          )}
          {items.length > 0 ? (
            <Menu
              align="end"
              items={items}
              trigger={<IconButton icon={Ellipsis} size="sm" label={t("settings.gateways.moreOf", { name: g.name })} />}
            />
          ) : (
            <span className="w-1" />
          )}
        </span>
      </header>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 border-t border-line px-3 py-2.5 text-12">
        <dt className="t3">{t("settings.gateways.address")}</dt>
        <dd className="mono truncate" title={g.url} translate="no">
          {g.url}
        </dd>
        {how && (
          <>
            <dt className="t3">{t("settings.gateways.protocol")}</dt>
            <dd className="truncate" title={how}>
              {how}
            </dd>
          </>
        )}
        <dt className="t3">{t("settings.gateways.token")}</dt>
        <dd className="row gap-1 min-w-0">
          {(g.hasToken || g.tokenEnv) && <KeyRound size={12} className="t3" aria-hidden />}
          <span className="min-w-0 wrap-anywhere">{tokenText(t, g)}</span>
        </dd>
        {g.fingerprint && (
          <>
            <dt className="t3">{t("field.fingerprint")}</dt>
            <dd className="mono truncate" title={g.fingerprint} translate="no">
              {g.fingerprint}
            </dd>
          </>
        )}
      </dl>
      <GatewayTrouble gateway={g} onEdit={fixed ? undefined : onEdit} onRetry={reconnect} />
    </article>
  );
}

function tokenText(t: TFunction, g: Gateway): string {
  if (g.builtin) return t("settings.gateways.tokenNotNeeded");
  if (g.tokenEnv) return t("settings.gateways.tokenEnv", { name: g.tokenEnv });
  return t(g.hasToken ? "settings.gateways.tokenKept" : "settings.gateways.tokenNone");
}
