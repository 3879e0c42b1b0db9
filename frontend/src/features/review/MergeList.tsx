import { Circle, CircleCheck } from "lucide-react";
import { useTranslation } from "react-i18next";
import { ChangeMark, captionOf, titleOf, type Teams } from "@/flow";
import { markOf, worthTelling } from "@/flow/changes";
import type { Change, Conflict, Merge } from "@/topology";
import { Count, ListRow } from "@/ui";
import { subjectOf } from "./ConflictCard";
import { openConflicts, useReview } from "./store";

/** Changes that need a choice, and changes that merge automatically. */
export function MergeList({
  merge,
  teams,
  current,
  onPick,
}: {
  merge: Merge;
  teams: Teams;
  current?: string;
  onPick: (id: string) => void;
}) {
  const { t } = useTranslation();
  const made = useReview((s) => s.made),
    open = useReview((s) => openConflicts(s).length);
  const caption = (c: Conflict) => {
    const choice = made[c.id]?.choice;
    return choice
      ? t("merge.chose", { side: t(`merge.sideWord.${choice}`) })
      : subjectOf(t, c) || t("merge.reason.both_changed");
  };
  const mine = worthTelling(merge.fromMine),
    theirs = worthTelling(merge.fromTheirs),
    fits = mine.length + theirs.length;
  return (
    <div className="rows scroll">
      <h2 className="label">
        <span className="grow">{t("merge.need")}</span>
        {open > 0 && <Count n={open} need />}
      </h2>
      <ul>
        {merge.conflicts.map((c) => {
          const done = !!made[c.id];
          return (
            <li key={c.id}>
              <ListRow
                whole
                current={c.id === current}
                onClick={() => onPick(c.id)}
                title={<b>{titleOf(t, teams, c)}</b>}
                caption={caption(c)}
                lead={
                  done ? (
                    <CircleCheck size={14} className="text-done" aria-label={t("merge.decided")} />
                  ) : (
                    <Circle size={14} className="text-waiting" aria-label={t("merge.open")} />
                  )
                }
              />
            </li>
          );
        })}
      </ul>
      {fits > 0 && (
        <h2 className="label">
          <span className="grow">{t("merge.fit")}</span>
          <Count n={fits} />
        </h2>
      )}
      <ul>
        {mine.map((c) => (
          <Fit key={`m${c.id}`} change={c} teams={teams} side="mine" />
        ))}
        {theirs.map((c) => (
          <Fit key={`t${c.id}`} change={c} teams={teams} side="theirs" />
        ))}
      </ul>
      {merge.dropped.length > 0 && (
        <h2 className="label">
          <span className="grow">{t("merge.dropped")}</span>
          <Count n={merge.dropped.length} />
        </h2>
      )}
      {merge.dropped.length > 0 && <p className="cap px-2 pb-1">{t("merge.droppedWhy")}</p>}
      <ul>
        {merge.dropped.map((c) => (
          <Fit key={`d${c.id}`} change={c} teams={teams} />
        ))}
      </ul>
    </div>
  );
}

function Fit({ change: c, teams, side }: { change: Change; teams: Teams; side?: "mine" | "theirs" }) {
  const { t } = useTranslation();
  const title = titleOf(t, teams, c),
    caption = captionOf(t, teams, c);
  return (
    <li>
      <ListRow
        whole
        title={title}
        caption={caption}
        titleText={caption ? `${title} · ${caption}` : title}
        end={side && <span className="cap">{t(`merge.sideWord.${side}`)}</span>}
        lead={
          <>
            <ChangeMark mark={markOf(c)} inline />
            <span className="sr-only">{t(`review.op.${c.op}`)}</span>
          </>
        }
      />
    </li>
  );
}
