import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { channelName } from "@/flow/bindingWords";
import { placeWords } from "@/flow/broadcastWords";
import { formatNumber } from "@/i18n/format";
import { useTeam } from "@/stores/team";
import { displayName, isObject, type BroadcastGroup, type RouteChannel } from "@/topology";
import { announce, Button, Checkbox, Combobox, Field, Input } from "@/ui";
import { saveBroadcast } from "./edit";
import { castLacks, castPlace, type CastLack } from "./form";

type Props = {
  channels: RouteChannel[];
  /** The group to change; without one it is added. */ group?: BroadcastGroup;
  onClose: () => void;
};

/** Adds or changes a broadcast group. */
export function BroadcastForm({ channels, group, onClose }: Props) {
  const { t } = useTranslation();
  const topology = useTeam((s) => s.topology);
  // The group as it was when the form opened: one that changed meanwhile isn't overwritten.
  const [was] = useState(group);
  const [place, setPlace] = useState(castPlace(was, channels)),
    [cast, setCast] = useState<readonly string[]>(was?.agents ?? []),
    [lack, setLack] = useState<CastLack>(),
    [gone, setGone] = useState(false);
  const save = () => {
    const missing = castLacks(topology, place, cast, was?.key);
    setLack(missing);
    if (missing) return;
    if (!saveBroadcast(was, place, [...cast])) return setGone(true);
    if (!was) announce(t("routes.broadcast.added"));
    onClose();
  };
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector<HTMLElement>("button, input")?.focus(), []);
  return (
    <form
      ref={form}
      className="routes-form"
      aria-label={was ? t("routes.broadcast.edit", { place: placeWords(t, was) }) : t("routes.broadcast.add")}
      onSubmit={(e) => {
        e.preventDefault();
        save();
      }}
      onKeyDown={(e) => {
        if (e.key !== "Escape" || e.defaultPrevented) return;
        e.stopPropagation();
        onClose();
      }}
    >
      <div className="routes-pair">
        <Field label={t("routes.who.channel")} error={lack === "channel" && t("routes.need.channel")}>
          {(ids) => (
            <Combobox
              {...ids}
              value={place.channel}
              options={channels.map((c) => ({ value: c.id, label: channelName(c.id) }))}
              emptyText={t("routes.noMatch")}
              openLabel={t("routes.openList")}
              moreText={(shown, all) => t("routes.more", { shown, all })}
              onText={(channel) => setPlace({ ...place, channel })}
            />
          )}
        </Field>
        <Field
          label={t("routes.broadcast.id")}
          hint={t("routes.broadcast.idHint")}
          error={(lack === "peer" || lack === "taken") && t(`routes.broadcast.need.${lack}`)}
        >
          {(ids) => <Input {...ids} mono value={place.peer} onText={(peer) => setPlace({ ...place, peer })} />}
        </Field>
      </div>
      <Cast cast={cast} onCast={setCast} start={was?.agents} />
      {(lack === "agents" || lack === "many") && (
        <p className="text-failed" role="alert">
          {t(`routes.broadcast.need.${lack}`)}
        </p>
      )}
      {isObject(was?.raw) && <p className="cap">{t("routes.broadcast.kept")}</p>}
      {gone && (
        <p className="text-failed" role="alert">
          {t("routes.broadcast.gone")}
        </p>
      )}
      <div className="row gap-2 justify-end">
        <Button onClick={onClose}>{t("routes.cancel")}</Button>
        <Button tone="main" type="submit">
          {t(was ? "routes.save" : "routes.addDone")}
        </Button>
      </div>
    </form>
  );
}

type CastProps = { cast: readonly string[]; onCast: (cast: readonly string[]) => void; start?: readonly string[] };

/** The agents of the group, in the order in which they were selected. Those of the start come first. */
function Cast({ cast, onCast, start = [] }: CastProps) {
  const { t } = useTranslation();
  const agents = useTeam((s) => s.topology.agents);
  const known = new Map(agents.map((a) => [a.id, displayName(a)])),
    ids = [...start, ...agents.flatMap((a) => (start.includes(a.id) ? [] : [a.id]))];
  return (
    <fieldset className="routes-cast">
      <legend>
        {t("routes.broadcast.agents")}
        <span className="cap num">
          {" · "}
          {t("routes.broadcast.selected", { n: formatNumber(cast.length), of: formatNumber(ids.length) })}
        </span>
      </legend>
      <div className="scroll">
        {ids.map((id) => (
          <Checkbox
            key={id}
            label={<bdi>{known.get(id) ?? id}</bdi>}
            hint={known.has(id) ? undefined : t("routes.note.unknown_agent", { name: id })}
            checked={cast.includes(id)}
            onChecked={(on) => onCast(on ? [...cast, id] : cast.filter((x) => x !== id))}
          />
        ))}
      </div>
    </fieldset>
  );
}
