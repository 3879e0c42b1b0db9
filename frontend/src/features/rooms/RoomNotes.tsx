import { CircleAlert, ShieldAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { formatList } from "@/i18n/format";
import { modelsLink } from "@/stores/providers";
import { trustLink } from "@/stores/trust";
import { Banner } from "@/ui";
import type { Lacking } from "./standing";

/** Why agents of the room will not answer, or can only talk: said before anybody waits for them. */
export function RoomNotes({ lacking: { answers, models, unset, tools, team } }: { lacking: Lacking }) {
  const { t } = useTranslation();
  const mute = [...answers].filter((name) => !unset.includes(name)),
    bare = [...tools].filter((name) => !answers.has(name));
  return (
    <>
      {mute.length > 0 && (
        <Banner
          tone="waiting"
          icon={CircleAlert}
          actions={
            <a className="btn btn--sm" href={modelsLink}>
              {t("rooms.mute.add")}
            </a>
          }
        >
          {t("common.sentences", {
            a: t("rooms.mute.who", { names: formatList(mute) }),
            b: t("rooms.mute.why", { models: formatList(models) }),
          })}
        </Banner>
      )}
      {unset.length > 0 && (
        <Banner tone="waiting" icon={CircleAlert}>
          {t("common.sentences", {
            a: t("rooms.mute.who", { names: formatList(unset) }),
            b: t("rooms.mute.unset"),
          })}
        </Banner>
      )}
      {bare.length > 0 && (
        <Banner
          tone="waiting"
          icon={ShieldAlert}
          actions={
            <a className="btn btn--sm" href={trustLink(team)}>
              {t("trust.open")}
            </a>
          }
        >
          {t("common.sentences", {
            a: t("rooms.bare.who", { count: bare.length, names: formatList(bare) }),
            b: t("rooms.bare.why"),
          })}
        </Banner>
      )}
    </>
  );
}
