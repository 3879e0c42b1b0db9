import { useTranslation } from "react-i18next";
import { RollbackChanges } from "@/flow/RollbackChanges";
import { formatDateTime } from "@/i18n/format";
import { gatewayName } from "@/i18n/gateway";
import { errorMeaning } from "@/i18n/problem";
import { useGateways } from "@/stores/gateways";
import type { Read } from "@/stores/read";
import { useTeam } from "@/stores/team";
import { useTeams } from "@/stores/teams";
import type { Picture, Preview, Snapshot } from "@/topology";
import { Button, ColorSquare, ErrorState, Skeleton } from "@/ui";
import { lostWords } from "./lost";
import { snapshotTeam, snapshotTitle } from "./words";

type Facts = { snapshot: Snapshot; gateway: string };

const fingerprint = (s: Snapshot) => s.hash.replace(/^.*:/, "").slice(0, 12);

/** What is known of a snapshot, where it can't be shown as a picture. */
export function SnapshotCard({ snapshot: s, gateway }: Facts) {
  const { t } = useTranslation();
  const color = useGateways().find((x) => x.name === gateway)?.color ?? 1;
  const name = useTeams().find((d) => d.id === s.team)?.name,
    team = s.cause.startsWith("before_") ? undefined : name;
  return (
    <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2 rounded-[var(--r-2)] border border-line-2 bg-surface p-4">
      <dt className="t3">{t("history.fact.when")}</dt>
      <dd>{formatDateTime(s.at)}</dd>
      <dt className="t3">{t("history.fact.why")}</dt>
      <dd>{snapshotTitle(t, s)}</dd>
      {!!s.losses?.length && (
        <>
          <dt className="t3">{t("history.fact.lost")}</dt>
          <dd>{lostWords(t, s.losses)}</dd>
        </>
      )}
      <dt className="t3">{t("history.gateway")}</dt>
      <dd className="row">
        <ColorSquare color={color} />
        {gatewayName(t, gateway)}
      </dd>
      <dt className="t3">{t("history.fact.agents")}</dt>
      <dd className="num">{s.agents}</dd>
      {team && (
        <>
          <dt className="t3">{t("history.team")}</dt>
          <dd>{team}</dd>
        </>
      )}
      <dt className="t3">{t("history.fact.hash")}</dt>
      <dd className="mono" title={s.hash} translate="no">
        {fingerprint(s)}
      </dd>
    </dl>
  );
}

/** The same in a line, below the picture. */
export function SnapshotLine({ snapshot: s }: { snapshot: Snapshot }) {
  const { t } = useTranslation();
  const name = useTeams().find((d) => d.id === s.team)?.name,
    team = snapshotTeam(t, s, name);
  const facts = [
    snapshotTitle(t, s),
    formatDateTime(s.at),
    s.losses?.length ? t("history.lostWhat", { lost: lostWords(t, s.losses) }) : "",
    t("counts.agents", { count: s.agents }),
    team,
  ].filter(Boolean);
  return (
    <p className="cap">
      {facts.join(t("history.dot"))}
      {t("history.dot")}
      <span className="inline-block" title={s.hash}>
        {t("history.fact.hash")}{" "}
        <span className="mono" translate="no">
          {fingerprint(s)}
        </span>
      </span>
    </p>
  );
}

/** What differs between two snapshots and isn't on the canvas. */
export function OtherSettings({ shown }: { shown: Picture }) {
  const { t } = useTranslation();
  const { others } = shown;
  if (shown.unread) return <p className="cap">{t("compare.unread")}</p>;
  if (!others.length) return null;
  return (
    <details className="cap">
      <summary>{t("compare.others", { count: others.length })}</summary>
      <ul className="mono my-1 max-h-32 overflow-auto pl-4" translate="no" tabIndex={0} aria-label={t("compare.paths")}>
        {others.map((path) => (
          <li key={path} className="break-words">
            {path}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** How the gateway differs from the snapshot now. */
export function RollbackDifferences({ rollback }: { rollback: Read<Preview> }) {
  const { t } = useTranslation();
  const draft = useTeam((d) => d.topology),
    base = useTeam((d) => d.base);
  return (
    <section className="w-full max-w-xl" aria-label={t("history.differences")}>
      <h3 className="label px-0">{t("history.differences")}</h3>
      {rollback.data ? (
        <RollbackChanges preview={rollback.data} draft={draft} applied={base?.topology} />
      ) : rollback.error ? (
        <ErrorState
          title={t("history.notCompared")}
          actions={<Button onClick={rollback.again}>{t("common.retry")}</Button>}
        >
          {errorMeaning(t, rollback.error)}
        </ErrorState>
      ) : (
        <Skeleton lines={2} label={t("history.readingNow")} />
      )}
    </section>
  );
}
