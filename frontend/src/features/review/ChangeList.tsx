import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { ChangeMark, markSign, agentName, captionOf, titleOf, type Teams } from "@/flow";
import { markOf } from "@/flow/changes";
import type { Change, Preview, PreviewChange } from "@/topology";
import { Badge, PanelHead } from "@/ui";
import { choosable, byAgent, ticked } from "./choose";
import { countable, countMarks, countText, inOrder, type ChangeGroup } from "./changes";
import { takenIn } from "./conflicts";
import { ChangeRow } from "./ChangeRow";
import { Problems } from "./Problems";
import { useReview } from "./store";
import { Tick } from "./Tick";

type Props = {
  preview: Preview;
  groups: ChangeGroup[];
  teams: Teams;
  shown?: string;
  /** It is on its way or over: nothing to choose. */ fixed?: boolean;
};

/** Everything that changed, by group, with what stops the apply on top. */
export function ChangeList({ preview, groups, teams, shown, fixed }: Props) {
  const { t } = useTranslation();
  const counted = countable(preview.changes);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (shown) box.current?.querySelector(`[data-change="${CSS.escape(shown)}"]`)?.scrollIntoView({ block: "nearest" });
  }, [shown]);
  return (
    <>
      <PanelHead>
        <TickAll changes={inOrder(groups)} label={t("choose.all")} fixed={fixed} />
        <b className="grow">{countText(t, preview.changes)}</b>
        {countMarks(counted).map(({ mark, n }) => (
          <Badge key={mark} tone={mark}>
            {markSign[mark]} {n}
          </Badge>
        ))}
      </PanelHead>
      <div ref={box} className="rows scroll">
        <PulledAlong changes={preview.changes} teams={teams} />
        <Problems problems={preview.problems} teams={teams} />
        {groups.map((g) => (
          <section key={g.name} aria-label={t(`review.groups.${g.name}`)}>
            <h2 className="label">
              <TickAll
                changes={g.changes}
                label={t("choose.group", { what: t(`review.groups.${g.name}`) })}
                fixed={fixed}
              />
              {t(`review.groups.${g.name}`)}
              {g.name === "canvas" && <span className="num">{g.changes.length}</span>}
            </h2>
            <Rows changes={g.changes} teams={teams} shown={shown} fixed={fixed} />
          </section>
        ))}
        {preview.stale && (
          <TakenIn
            changes={takenIn(preview)}
            first={!preview.merge?.base.agents?.length}
            dropped={preview.merge?.dropped ?? []}
            teams={teams}
          />
        )}
      </div>
    </>
  );
}

function TickAll({ changes, label, fixed }: { changes: PreviewChange[]; label: string; fixed?: boolean }) {
  const leaveOut = useReview((s) => s.leaveOut),
    own = choosable(changes);
  return own.length ? (
    <Tick ids={own.map((c) => c.id)} on={ticked(own, leaveOut)} label={label} disabled={fixed} />
  ) : null;
}

function Rows({
  changes,
  teams,
  shown,
  fixed,
}: {
  changes: PreviewChange[];
  teams: Teams;
  shown?: string;
  fixed?: boolean;
}) {
  const { t } = useTranslation();
  const leaveOut = useReview((s) => s.leaveOut);
  const row = (c: PreviewChange, inner?: boolean) => (
    <ChangeRow
      key={c.id}
      change={c}
      teams={teams}
      current={c.id === shown}
      out={leaveOut.includes(c.id)}
      fixed={fixed}
      inner={inner}
    />
  );
  return (
    <ul>
      {byAgent(changes).map((run) =>
        run.agent && run.changes.length > 1
          ? [
              <li key={`of:${run.agent}`} className="review-row review-agent">
                <TickAll
                  changes={run.changes}
                  label={t("choose.agent", { name: agentName(teams, run.agent) })}
                  fixed={fixed}
                />
                <b className="cut">{agentName(teams, run.agent)}</b>
                <span className="cap">{t("review.count", { count: run.changes.length })}</span>
              </li>,
              ...run.changes.map((c) => row(c, true)),
            ]
          : run.changes.map((c) => row(c)),
      )}
    </ul>
  );
}

/** A tick may have taken others along: says which. */
function PulledAlong({ changes, teams }: { changes: readonly PreviewChange[]; teams: Teams }) {
  const { t } = useTranslation();
  const pulled = useReview((s) => s.pulled);
  const names = (pulled?.ids ?? [])
    .map((id) => changes.find((c) => c.id === id))
    .filter((c) => c !== undefined)
    .map((c) => titleOf(t, teams, c));
  const shown = [...new Set(names)];
  return (
    <p role="status" className={shown.length ? "review-pulled cap" : "sr-only"}>
      {pulled &&
        shown.length > 0 &&
        t(pulled.on ? "choose.pulledIn" : "choose.pulledOut", { names: shown.join(t("list.comma")) })}
    </p>
  );
}

type Taken = {
  changes: Change[];
  dropped: Change[];
  teams: Teams;
  /** The team was never on this gateway: what is there is not new there. */ first: boolean;
};

/** What came from the gateway meanwhile; it stays there. */
function TakenIn({ changes, dropped, teams, first }: Taken) {
  const { t } = useTranslation();
  const rows = (list: Change[], end?: string) => (
    <ul>
      {list.map((c) => {
        const text = [titleOf(t, teams, c), captionOf(t, teams, c)].filter(Boolean).join(t("history.dot"));
        return (
          <li key={c.id} className="trow" title={text}>
            {!first && <ChangeMark mark={markOf(c)} inline />}
            {!first && <span className="sr-only">{t(`review.op.${c.op}`)}</span>}
            <span className="grow cut">{text}</span>
            {end && <span className="cap">{end}</span>}
          </li>
        );
      })}
    </ul>
  );
  return (
    <>
      {changes.length > 0 && (
        <section>
          <h2 className="label">{t("review.fromTheirs")}</h2>
          {rows(changes)}
        </section>
      )}
      {dropped.length > 0 && (
        <section>
          <h2 className="label">{t("merge.dropped")}</h2>
          <p className="cap px-2 pb-1">{t("merge.droppedWhy")}</p>
          {rows(dropped)}
        </section>
      )}
    </>
  );
}
