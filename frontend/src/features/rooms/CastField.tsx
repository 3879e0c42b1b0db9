import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatList, formatNumber } from "@/i18n/format";
import { modelsLink } from "@/stores/providers";
import { displayName, type Agent } from "@/topology";
import { Banner, Checkbox } from "@/ui";
import { useUnanswerable } from "./standing";

type Props = {
  team: string;
  agents: readonly Agent[];
  /** Those of them that can be chosen here. */ offered: readonly Agent[];
  cast: readonly string[];
  onCast: (cast: readonly string[]) => void;
  /** The gateway on which they run otherwise. */ away?: string;
  onLeave: () => void;
};

/** The agents of a team that take part in a room. Those selected at the start come first and keep their place. */
export function CastField({ team, agents, offered, cast, onCast, away, onLeave }: Props) {
  const { t } = useTranslation();
  const [start] = useState(cast),
    began = (a: Agent) => start.includes(a.id),
    rows = [...offered.filter(began), ...offered.filter((a) => !began(a))],
    selected = agents.filter((a) => cast.includes(a.id)).length;
  const mute = useUnanswerable(offered),
    chosen = mute.filter((a) => cast.includes(a.id)),
    chosenMute = chosen.filter((a) => a.model),
    unset = chosen.filter((a) => !a.model);
  return (
    <fieldset className="rooms-cast">
      <legend className="cap">
        {t("rooms.cast", { team: team })}
        {" · "}
        <span className="num">
          {t("rooms.castSelected", { n: formatNumber(selected), of: formatNumber(agents.length) })}
        </span>
      </legend>
      <div className="scroll">
        {rows.map((a) => (
          <Checkbox
            key={a.id}
            label={<bdi>{displayName(a)}</bdi>}
            hint={
              mute.includes(a) ? (a.model ? t("rooms.mute.hint", { model: a.model }) : t("rooms.mute.noModel")) : a.role
            }
            checked={cast.includes(a.id)}
            onChecked={(on) => onCast(on ? [...cast, a.id] : cast.filter((x) => x !== a.id))}
          />
        ))}
        {offered.length === 0 && <p className="cap">{t("rooms.castMany", { count: agents.length })}</p>}
      </div>
      <p className="cap">{t(away ? "rooms.castAway" : "rooms.castWhy", { gateway: away })}</p>
      {chosenMute.length > 0 && (
        <Banner
          tone="waiting"
          actions={
            <a className="btn btn--sm" href={modelsLink} onClick={onLeave}>
              {t("rooms.mute.add")}
            </a>
          }
        >
          {t("rooms.mute.will", { names: formatList(chosenMute.map((a) => a.name || a.id)) })}
        </Banner>
      )}
      {unset.length > 0 && (
        <Banner tone="waiting">
          {t("common.sentences", {
            a: t("rooms.mute.who", { names: formatList(unset.map((a) => a.name || a.id)) }),
            b: t("rooms.mute.unset"),
          })}
        </Banner>
      )}
    </fieldset>
  );
}
