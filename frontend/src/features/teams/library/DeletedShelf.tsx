import { ArchiveRestore, SearchX, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatWhen } from "@/i18n/format";
import { errorMeaning } from "@/i18n/problem";
import { teamActions, useTeams } from "@/stores/teams";
import { useRead } from "@/stores/read";
import type { DeletedTeam } from "@/topology";
import { Button, Dialog, EmptyState, ErrorState, keysOf, Skeleton } from "@/ui";
import { purgeTeams, restoreTeam } from "../actions";
import { Card } from "./Card";
import { Thumb } from "./TeamShelf";
import { Grid } from "./Grid";
import { arrange, useView } from "./view";

/** Deleted teams: they can be brought back until somebody cleans up. */
export function DeletedShelf() {
  const { t } = useTranslation();
  const teams = useTeams(),
    search = useView((s) => s.search);
  const {
    data: all,
    error,
    again,
  } = useRead({ key: ["deletedTeams"], on: teams.map((d) => d.id), read: teamActions.deleted });
  const [asking, setAsking] = useState<DeletedTeam[]>();
  if (error)
    return (
      <div className="p-4">
        <ErrorState
          title={t("library.deletedFailed")}
          actions={
            <Button size="sm" onClick={again}>
              {t("common.retry")}
            </Button>
          }
        >
          {errorMeaning(t, error)}
        </ErrorState>
      </div>
    );
  if (!all) return <Skeleton lines={4} label={t("common.loading")} />;
  if (!all.length)
    return (
      <EmptyState icon={Trash2} title={t("library.noneDeleted")}>
        {t("library.noneDeletedWhy")}
      </EmptyState>
    );
  const rows = arrange(
    all.map((d) => ({ ...d, updatedAt: d.deletedAt })),
    search,
    "edited",
  );
  return (
    <>
      <div className="row border-b border-line px-4 py-2 phone:px-3">
        <span className="t2 grow">{t("library.deletedWhy")}</span>
        <Button tone="danger" icon={Trash2} onClick={() => setAsking(all)}>
          {t("library.purgeAll")}
        </Button>
      </div>
      {!rows.length && <EmptyState icon={SearchX} title={t("teams.noMatch")} />}
      <Grid
        rows={rows}
        label={t("library.shelf.deleted")}
        actsOf={(d) => ({ remove: () => setAsking([d]) })}
        card={(d, first) => (
          <Card
            key={d.id}
            id={d.id}
            name={d.name}
            first={first}
            picture={
              <span className="block h-full w-full opacity-60">
                <Thumb id={d.id} head={d.head} at={d.deletedAt} empty={!d.agents} />
              </span>
            }
            openLabel={t("library.restore", { name: d.name })}
            onOpen={() => void restoreTeam(d.id, d.name)}
            lines={[
              <span key="n" className="num">
                {t("counts.agents", { count: d.agents })} · {t("counts.connections", { count: d.connections })}
              </span>,
              <span key="w">{t("library.deletedAt", { when: formatWhen(d.deletedAt, true) })}</span>,
            ]}
            renaming={false}
            setRenaming={() => undefined}
            items={[
              {
                label: t("library.restoreShort"),
                icon: ArchiveRestore,
                keys: keysOf("openTeam"),
                onSelect: () => void restoreTeam(d.id, d.name),
              },
              { kind: "separator" },
              {
                label: t("library.purge"),
                icon: Trash2,
                keys: keysOf("deleteTeam"),
                danger: true,
                onSelect: () => setAsking([d]),
              },
            ]}
          />
        )}
      />
      {asking && (
        <Dialog
          open
          onOpen={(o) => {
            if (!o) setAsking(undefined);
          }}
          title={t("library.purgeTitle", { count: asking.length, name: asking[0]?.name ?? "" })}
          footer={
            <>
              <Button onClick={() => setAsking(undefined)}>{t("common.cancel")}</Button>
              <Button
                tone="danger"
                onClick={() => {
                  setAsking(undefined);
                  void purgeTeams(asking.map((d) => d.id)).then(again);
                }}
              >
                {t("library.purge")}
              </Button>
            </>
          }
        >
          <p className="text-text">{t("library.purgeWhy")}</p>
        </Dialog>
      )}
    </>
  );
}
