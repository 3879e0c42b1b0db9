import { useTranslation } from "react-i18next";
import type { Preview } from "../topology";

/** The scheduled jobs that a rollback adds again, and those that go with the agents that it deletes. */
export function RollbackJobs({ preview: p }: { preview: Preview }) {
  const { t } = useTranslation();
  const gone = p.deletions.flatMap((d) => d.jobs ?? []);
  return (
    <>
      {p.restoredJobs && <p>{t("reach.jobsBack", { names: p.restoredJobs.join(t("list.comma")) })}</p>}
      {gone.length > 0 && <p>{t("reach.jobsGo", { names: gone.join(t("list.comma")) })}</p>}
      {p.deletions.some((d) => d.jobsUnread) && <p>{t("reach.jobsUnread")}</p>}
    </>
  );
}
