import { useState } from "react";
import { useTranslation } from "react-i18next";
import { agentName } from "@/flow/describe";
import { RollbackJobs } from "@/flow/RollbackJobs";
import { gatewayName } from "@/i18n/gateway";
import { formatDateTime, formatList } from "@/i18n/format";
import { errorMeaning } from "@/i18n/problem";
import { applyActions } from "@/stores/applies";
import { useRead } from "@/stores/read";
import { useTeam } from "@/stores/team";
import { asApiError, type ApiError } from "@/stores/faults";
import { useUi } from "@/stores/ui";
import type { Agent, Loss, Preview, Snapshot } from "@/topology";
import { Banner, Button, Checkbox, Dialog, ErrorState, Field, Input, Skeleton } from "@/ui";

/** The agents that the gateway has and the snapshot has not, with the names they have there. */
const deletedIn = (p: Preview): Agent[] =>
  p.deletions.map((d) => {
    const gone = p.changes.find((c) => c.subject === "agent" && c.op === "removed" && c.agent === d.agent);
    return { ...(gone?.before as Agent | undefined), id: d.agent };
  });

const placeOf = (l: Loss) => `${l.agent ?? ""} ${l.field ?? ""}`;

/** Asks, because it changes the gateway. `onStarted` follows it where no team does. */
export function RollbackDialog({
  snapshot: s,
  lost,
  onClose,
  onStarted,
}: {
  snapshot: Snapshot;
  /** The gateway lost what the snapshot has: the draft stays as it is. */ lost?: boolean;
  onClose: () => void;
  onStarted: (apply: string) => void;
}) {
  const { t } = useTranslation();
  const team = useTeam((d) => d.id),
    name = useTeam((d) => d.name),
    own = useTeam((d) => d.gateway === s.gateway && d.status === "ready");
  const [follow, setFollow] = useState(own && !lost);
  const [secrets, setSecrets] = useState<Record<string, string>>({});
  const {
    data: preview,
    error: unread,
    again,
  } = useRead({
    key: ["rollback", s.gateway, s.id],
    read: () => applyActions.previewRollback(s.gateway, s.id),
  });
  const agents = useTeam((d) => d.topology.agents),
    deleted = preview ? deletedIn(preview) : [],
    kept = own ? agents.filter((a) => !deleted.some((d) => d.id === a.id)) : [],
    all = { agents: [...deleted, ...kept] },
    nameOf = (id: string) => agentName({ after: all }, id);
  const gone = preview?.losses.filter((l) => l.reason === "secret") ?? [];
  const stays = preview?.losses.filter((l) => l.reason === "default_agent") ?? [];
  const deletes = preview?.deletions.length ?? 0,
    impossible = preview?.deletions.find((d) => !d.possible);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<ApiError>(),
    [moved, setMoved] = useState(false);
  const run = async () => {
    setBusy(true);
    try {
      if (follow && !(await useTeam.getState().flush())) throw useTeam.getState().save.error ?? new Error("not saved");
      const a = await applyActions.rollback(s.gateway, {
        snapshotId: s.id,
        team: follow ? team : undefined,
        hash: preview?.baseHash,
        deleteAgents: deletes > 0,
        secrets: gone.flatMap((l) => {
          const value = secrets[placeOf(l)];
          return value ? [{ agent: l.agent, field: l.field ?? "", value }] : [];
        }),
      });
      onClose();
      if (follow) useUi.getState().go("review");
      else onStarted(a.id);
    } catch (e) {
      const refused = asApiError(e),
        stale = refused.reason === "stale_base";
      setMoved(stale);
      setError(stale ? undefined : refused);
      setBusy(false);
      if (stale) again();
    }
  };
  return (
    <Dialog
      open
      onOpen={(o) => {
        if (!o && !busy) onClose();
      }}
      title={t("history.rollbackTitle", { gateway: gatewayName(t, s.gateway) })}
      width={480}
      footer={
        <>
          <Button disabled={busy} onClick={onClose}>
            {t("history.keepGateway")}
          </Button>
          <Button tone="danger" busy={busy} disabled={!preview || !!impossible} onClick={() => void run()}>
            {deletes ? t("history.rollbackAndDelete", { count: deletes }) : t("history.rollbackIt")}
          </Button>
        </>
      }
    >
      <div className="col gap-3">
        {moved && <Banner tone="waiting">{t("history.moved")}</Banner>}
        <p>
          {t("history.rollbackWhat", {
            gateway: gatewayName(t, s.gateway),
            when: formatDateTime(s.at),
            agents: t("counts.agents", { count: s.agents }),
          })}
        </p>
        <p>{t("history.rollbackBack")}</p>
        <div className="col gap-2 text-text">
          {own && (
            <Checkbox
              label={t("history.follow", { name })}
              hint={t("history.followHint")}
              checked={follow}
              onChecked={setFollow}
            />
          )}
        </div>
        {!preview && !unread && <Skeleton lines={1} label={t("history.readingNow")} />}
        {preview && deletes > 0 && (
          <p>
            {t("history.deletes", { count: deletes, names: deleted.map((d) => nameOf(d.id)).join(t("list.comma")) })}
          </p>
        )}
        {preview?.deletions.some((d) => d.byGateway) && <p>{t("history.sessionsGo")}</p>}
        {preview?.restart.recreated && <p>{t("history.recreated", { ids: formatList(preview.restart.recreated) })}</p>}
        {impossible && (
          <p className="text-failed">
            {nameOf(impossible.agent)}: {t(`review.cannotDeleteWhy.${impossible.cause ?? "not_offered"}`)}
          </p>
        )}
        {stays.map((l) => (
          <p key={l.agent}>{t("history.stays", { name: nameOf(l.agent ?? "") })}</p>
        ))}
        {preview && <RollbackJobs preview={preview} />}
        {preview && preview.files.length > 0 && (
          <p>
            {t("history.files", {
              count: preview.files.length,
              names: formatList(
                preview.files.map((f) => t("history.fileOf", { agent: nameOf(f.agent), file: f.name })),
              ),
            })}
          </p>
        )}
        {gone.length > 0 && (
          <section className="col gap-2">
            <p>{t("history.secretsGone", { count: gone.length })}</p>
            {gone.map((l) => (
              <Field key={placeOf(l)} label={<span className="mono">{l.field}</span>} aside={l.agent}>
                {(ids) => (
                  <Input
                    {...ids}
                    type="password"
                    autoComplete="off"
                    value={secrets[placeOf(l)] ?? ""}
                    onText={(value) => setSecrets((all) => ({ ...all, [placeOf(l)]: value }))}
                  />
                )}
              </Field>
            ))}
          </section>
        )}
        {unread && <ErrorState title={t("history.rollbackFailed")}>{errorMeaning(t, unread)}</ErrorState>}
        {error && <ErrorState title={t("history.rollbackFailed")}>{errorMeaning(t, error)}</ErrorState>}
      </div>
    </Dialog>
  );
}
