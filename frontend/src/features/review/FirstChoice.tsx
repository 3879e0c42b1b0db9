import { GitMerge } from "lucide-react";
import type { TFunction } from "i18next";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { useTeam } from "@/stores/team";
import { liveTeam, useTeams } from "@/stores/teams";
import { displayName, findAgent, type Preview, type Topology } from "@/topology";
import { RadioGroup } from "@/ui";
import { changedBy, joining, othersOf, sizeOfTeam, undecidedIds } from "./first";
import { chooseReplace, useReview } from "./store";
import { fewNames } from "./words";

/** A gateway on which the team never was has agents of others: they stay, or the team replaces them. */
export function FirstChoice({ preview: p, fixed }: { preview: Preview; fixed?: boolean }) {
  const { t } = useTranslation();
  const title = useId();
  const chosen = useReview((s) => s.replace);
  const id = useTeam((s) => s.id),
    live = liveTeam(
      useTeams(),
      useTeam((s) => s.gateway),
    );
  const count = othersOf(p).length,
    mine = sizeOfTeam(p),
    replaced = !!p.merge?.replace,
    add = mine ? "review.firstChoice.addWhy" : "review.firstChoice.addEmpty";
  const adds = [
    t(add, { count: joining(p).length, mine }),
    ...whoseIds(t, p, "changes", changedBy(p)),
    ...whoseIds(t, p, "sameId", undecidedIds(p)),
  ].reduce((a, b) => t("common.sentences", { a, b }));
  return (
    <section className="banner banner--waiting review-first" aria-labelledby={title}>
      <GitMerge size={16} className="ico" aria-hidden />
      <div className="grow col gap-2">
        <b id={title}>
          {p.merge?.example
            ? t("review.firstExample")
            : live && live.id !== id
              ? t("review.firstOf", { name: live.name })
              : t("review.first")}
        </b>
        <RadioGroup
          label={t("review.firstChoice.label")}
          value={(chosen ?? replaced) ? "replace" : "add"}
          disabled={fixed}
          onValue={(v) => chooseReplace(v === "replace")}
          options={[
            {
              value: "add",
              label: <b>{t("review.firstChoice.add")}</b>,
              hint: adds,
            },
            {
              value: "replace",
              label: <b>{t("review.firstChoice.replace")}</b>,
              hint: t("review.firstChoice.replaceWhy", { count }),
            },
          ]}
        />
        <p role="status">{!replaced && <WhoGetsTasks preview={p} />}</p>
      </div>
    </section>
  );
}

const namesOf = (t: TFunction, team: Topology | undefined, ids: readonly string[]) =>
  ids.map((id) => displayName((team && findAgent(team, id)) ?? { id })).join(t("list.comma"));

/** What happens to agents of the gateway, by the names that they have there. */
const whoseIds = (t: TFunction, p: Preview, what: "changes" | "sameId", ids: readonly string[]) =>
  ids.length ? [t(`review.firstChoice.${what}`, { count: ids.length, names: namesOf(t, p.merge?.theirs, ids) })] : [];

/** The teams in one: who of them gets tasks then. */
function WhoGetsTasks({ preview: p }: { preview: Preview }) {
  const { t } = useTranslation();
  const { coordinators = [], unassigned = [], others = [] } = p.merge ?? {};
  const names = (ids: readonly string[]) => namesOf(t, p.merge?.merged, ids);
  if (unassigned.length)
    return t("review.firstChoice.noTasks", {
      count: unassigned.length,
      lead: names(coordinators),
      names:
        unassigned.length > fewNames
          ? t("review.firstChoice.someAgents", { count: unassigned.length })
          : names(unassigned),
    });
  const its = coordinators.filter((id) => others.includes(id)).length;
  return its > 0 && its < coordinators.length
    ? t("review.firstChoice.leads", { count: coordinators.length, names: names(coordinators) })
    : undefined;
}
