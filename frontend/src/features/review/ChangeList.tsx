import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { ChangeMark, markSign } from "@/flow";
import type { Change, Preview } from "@/topology";
import { Badge, PanelHead } from "@/ui";
import { countMarks, markOf, worthTelling, type ChangeGroup } from "./changes";
import { ChangeRow } from "./ChangeRow";
import { captionOf, titleOf, type Teams } from "./describe";
import { Problems } from "./Problems";

type Props = { preview: Preview; groups: ChangeGroup[]; teams: Teams; shown?: string };

/** Everything that changed, by group, with what stops the apply on top. */
export function ChangeList({ preview, groups, teams, shown }: Props) {
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (shown) box.current?.querySelector(`[data-change="${CSS.escape(shown)}"]`)?.scrollIntoView({ block: "nearest" });
  }, [shown]);
  return (
    <>
      <PanelHead>
        <b className="grow whitespace-nowrap">{t("review.count", { count: preview.changes.length })}</b>
        {countMarks(preview.changes).map(({ mark, n }) => <Badge key={mark} tone={mark}>{markSign[mark]} {n}</Badge>)}
      </PanelHead>
      <div ref={box} className="rows scroll">
        <Problems problems={preview.problems} teams={teams} />
        {groups.map((g) => (
          <section key={g.name} aria-label={t(`review.groups.${g.name}`)}>
            <h2 className="label">{t(`review.groups.${g.name}`)}</h2>
            <ul>{g.changes.map((c) => <ChangeRow key={c.id} change={c} teams={teams} current={c.id === shown} />)}</ul>
          </section>
        ))}
        {preview.stale && <TakenIn changes={worthTelling(preview.merge?.fromTheirs)} dropped={preview.merge?.dropped ?? []} teams={teams} />}
      </div>
    </>
  );
}

/** What came from the gateway meanwhile; it stays there. */
function TakenIn({ changes, dropped, teams }: { changes: Change[]; dropped: Change[]; teams: Teams }) {
  const { t } = useTranslation();
  const rows = (list: Change[], end?: string) => (
    <ul>
      {list.map((c) => {
        const text = [titleOf(t, teams, c), captionOf(t, teams, c)].filter(Boolean).join(t("list.comma"));
        return <li key={c.id} className="trow" title={text}><ChangeMark mark={markOf[c.op]} inline /><span className="sr-only">{t(`review.op.${c.op}`)}</span><span className="grow cut">{text}</span>{end && <span className="cap">{end}</span>}</li>;
      })}
    </ul>
  );
  return (
    <>
      {changes.length > 0 && <section><h2 className="label">{t("review.fromTheirs")}</h2>{rows(changes)}</section>}
      {dropped.length > 0 && <section><h2 className="label">{t("merge.dropped")}</h2><p className="cap px-2 pb-1">{t("merge.droppedWhy")}</p>{rows(dropped)}</section>}
    </>
  );
}
