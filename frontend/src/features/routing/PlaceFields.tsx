import { useTranslation } from "react-i18next";
import { channelName } from "@/flow/bindingWords";
import type { RouteChannel } from "@/topology";
import { Combobox, Field, Input, Select } from "@/ui";
import type { Kind, Lack, Place } from "./form";

const kinds: Kind[] = ["any", "direct", "group", "channel"];

type Props = {
  place: Place;
  channels: RouteChannel[];
  onPlace: (p: Place) => void;
  lack?: Lack;
  /** Of one message, not of a rule: no "all accounts". */ one?: boolean;
};

/** Where messages come from: the channel, its account, the conversation, and what only Discord and Slack have. */
export function PlaceFields({ place: p, channels, onPlace, lack, one }: Props) {
  const { t } = useTranslation();
  const put = (some: Partial<Place>) => onPlace({ ...p, ...some });
  const service = p.channel.trim().toLowerCase(),
    channel = channels.find((c) => c.id === service);
  const accounts = [...new Set([...(channel?.accounts ?? []).map((a) => a.id), p.account || "default"])].filter(
    (a) => a !== "*",
  );
  const named = (id: string) => channel?.accounts.find((a) => a.id === id)?.name;
  return (
    <>
      <div className="routes-pair">
        <Field label={t("routes.who.channel")} error={lack === "channel" && t("routes.need.channel")}>
          {(ids) => (
            <Combobox
              {...ids}
              value={p.channel}
              options={channels.map((c) => ({ value: c.id, label: channelName(c.id) }))}
              emptyText={t("routes.noMatch")}
              openLabel={t("routes.openList")}
              moreText={(shown, all) => t("routes.more", { shown, all })}
              onText={(text) => put({ channel: text, account: text === p.channel ? p.account : "" })}
            />
          )}
        </Field>
        <Field label={t("routes.account")}>
          {(ids) => (
            <Select
              {...ids}
              value={p.account || "default"}
              options={[
                ...(one ? [] : [{ value: "*", label: t("routes.all") }]),
                ...accounts.map((id) => ({
                  value: id,
                  label: named(id) ?? (id === "default" ? t("routes.defaultAccount") : id),
                })),
              ]}
              onValue={(account) => put({ account: account === "default" ? "" : account })}
            />
          )}
        </Field>
      </div>
      <div className="routes-pair">
        <Field label={one ? t("routes.who.from") : t("routes.conversation")}>
          {(ids) => (
            <Select
              {...ids}
              value={p.kind}
              options={kinds.map((kind) => ({
                value: kind,
                label: kind === "any" && !one ? t("routes.anyone") : t(`routes.kind.${kind}`),
              }))}
              onValue={(kind) => put({ kind })}
            />
          )}
        </Field>
        {p.kind !== "any" && (
          <Field
            label={t("routes.who.id")}
            hint={one ? t("routes.who.idHint") : t("routes.peerHint")}
            error={lack === "peer" && t("routes.need.peer")}
          >
            {(ids) => <Input {...ids} mono value={p.peer} onText={(peer) => put({ peer })} />}
          </Field>
        )}
      </div>
      {one && p.kind !== "any" && p.kind !== "direct" && (
        <Field label={t("routes.who.parent")} aside={t("routes.who.optional")}>
          {(ids) => <Input {...ids} mono value={p.parent} onText={(parent) => put({ parent })} />}
        </Field>
      )}
      {(service === "discord" || p.guild || p.roles) && (
        <div className="routes-pair">
          <Field label={t("routes.who.guild")} aside={t("routes.who.optional")}>
            {(ids) => <Input {...ids} mono value={p.guild} onText={(guild) => put({ guild })} />}
          </Field>
          <Field label={t("routes.who.roles")} aside={t("routes.who.optional")} hint={t("routes.who.rolesHint")}>
            {(ids) => <Input {...ids} mono value={p.roles} onText={(roles) => put({ roles })} />}
          </Field>
        </div>
      )}
      {(service === "slack" || p.team) && (
        <Field label={t("routes.who.team")} aside={t("routes.who.optional")}>
          {(ids) => <Input {...ids} mono value={p.team} onText={(team) => put({ team })} />}
        </Field>
      )}
    </>
  );
}
