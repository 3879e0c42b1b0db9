import { useTranslation } from "react-i18next";
import type { Agent, Change, Preview, Topology } from "../topology";
import { ChangeMark } from "./ChangeMark";
import { markOf, worthTelling } from "./changes";
import { captionOf, titleOf, type Teams } from "./describe";
import { secretsLeft } from "./secretsLeft";
import "./rollbackChanges.css";

/** Agents that the gateway gets back: neither the draft nor the applied team has their names. */
const restoredIn = (changes: readonly Change[]): Agent[] =>
  changes.flatMap((c) =>
    c.subject === "agent" && c.op === "added" && c.agent ? { ...(c.after as Agent | undefined), id: c.agent } : [],
  );

/** What a rollback would change on the gateway, a line each. `draft` and `applied` have the names of the agents. */
export function RollbackChanges({
  preview: p,
  draft,
  applied,
}: {
  preview: Preview;
  draft?: Topology;
  applied?: Topology;
}) {
  const { t } = useTranslation();
  const teams: Teams = { after: draft, before: applied, base: { agents: restoredIn(p.changes) } };
  const changes = worthTelling(p.changes),
    gone = p.losses.filter((l) => l.reason === "secret").map((l) => [l.agent, l.field].filter(Boolean).join("."));
  return (
    <ul className="rollback-changes" aria-label={t("reach.changes")} tabIndex={0}>
      {!changes.length && (p.sends || !gone.length) && (
        <li className="cap px-2">{t(p.sends ? "reach.otherKeys" : "reach.nothing")}</li>
      )}
      {gone.length > 0 && <li className="cap px-2">{secretsLeft(t, gone)}</li>}
      {changes.map((c) => {
        const text = [titleOf(t, teams, c), captionOf(t, teams, c)].filter(Boolean).join(t("history.dot"));
        return (
          <li key={c.id} className="trow" title={text}>
            <ChangeMark mark={markOf(c)} inline />
            <span className="sr-only">{t(`review.op.${c.op}`)}</span>
            <span className="grow cut">{text}</span>
          </li>
        );
      })}
    </ul>
  );
}
