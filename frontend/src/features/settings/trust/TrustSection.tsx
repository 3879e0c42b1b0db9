import { RefreshCw, ShieldCheck } from "lucide-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { errorMeaning } from "@/i18n/problem";
import { trustActions, useFollowTrust, useTrust } from "@/stores/trust";
import type { TrustTeam } from "@/topology";
import { Badge, Button, EmptyState, ErrorState, marked, Skeleton } from "@/ui";
import { useSection } from "../section";
import { AgentTrust } from "./AgentTrust";
import { FormerList } from "./FormerList";
import { applied, once } from "./once";

/** What teams ask of this computer, whole, and what of it is allowed. */
export function TrustSection() {
  const { t } = useTranslation();
  const asking = useTrust((s) => s.teams),
    error = useTrust((s) => s.error);
  const wanted = useSection((s) => s.team);
  useFollowTrust();
  const shown = asking && once(asking);
  const failure = error && (
    <ErrorState
      title={t("trust.failed")}
      actions={
        <Button size="sm" icon={RefreshCw} onClick={() => void trustActions.load()}>
          {t("common.retry")}
        </Button>
      }
    >
      {errorMeaning(t, error)}
    </ErrorState>
  );
  if (!shown) return failure ?? <Skeleton lines={6} label={t("common.loading")} />;
  return (
    <>
      <p className="t2">{t("trust.what")}</p>
      {failure}
      {!shown.length && (
        <EmptyState icon={ShieldCheck} title={t("trust.none")}>
          {t("trust.noneWhy")}
        </EmptyState>
      )}
      {shown.map((team) => (
        <Team
          key={team.team}
          team={team}
          wanted={!!wanted && team.team === (shown.some((x) => x.team === wanted) ? wanted : applied)}
        />
      ))}
    </>
  );
}

function Team({ team, wanted }: { team: TrustTeam; wanted: boolean }) {
  const { t } = useTranslation();
  const head = useRef<HTMLHeadingElement>(null),
    name = marked(team.name) || t("trust.noName");
  useEffect(() => {
    if (wanted) {
      head.current?.scrollIntoView({ block: "start" });
      head.current?.focus({ preventScroll: true });
    }
  }, [wanted]);
  return (
    <section className="col gap-3" aria-label={name} data-team={team.team}>
      <h2 ref={head} tabIndex={-1} className="row flex-wrap gap-y-1 scroll-mt-3 outline-none">
        <b className="wrap-anywhere">{name}</b>
        <Badge>{t(team.team === applied ? "trust.applied" : "trust.saved")}</Badge>
      </h2>
      {team.agents.map((a) => (
        <AgentTrust key={a.agent} team={team.team} of={a} />
      ))}
      {team.former.length > 0 && <FormerList team={team} />}
    </section>
  );
}
