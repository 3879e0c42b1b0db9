import { GitMerge } from "lucide-react";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { useTeam } from "@/stores/team";
import { liveTeam, useTeams } from "@/stores/teams";
import { displayName, findAgent, type Preview } from "@/topology";
import { RadioGroup } from "@/ui";
import { othersOf, sizeOfTeam } from "./first";
import { chooseReplace, useReview } from "./store";

const fewNames = 3;

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
    replaced = !!p.merge?.replace;
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
              hint: t(mine ? "review.firstChoice.addWhy" : "review.firstChoice.addEmpty", { count, mine }),
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

/** Two teams in one: who of them gets tasks then. */
function WhoGetsTasks({ preview: p }: { preview: Preview }) {
  const { t } = useTranslation();
  const { coordinators = [], unassigned = [], others = [], merged } = p.merge ?? {};
  const names = (ids: readonly string[]) =>
    ids.map((id) => displayName((merged && findAgent(merged, id)) ?? { id })).join(t("list.comma"));
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
    ? t("review.firstChoice.twoLeads", { names: names(coordinators) })
    : undefined;
}
