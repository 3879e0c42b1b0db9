import { RefreshCw } from "lucide-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { securityActions, useSecurity } from "@/stores/security";
import { Button, ErrorState, Skeleton } from "@/ui";
import { AuditCard } from "./AuditCard";
import { BudgetsCard } from "./BudgetsCard";
import { CallersCard } from "./CallersCard";
import { DoorCard } from "./DoorCard";
import { LockoutsCard } from "./LockoutsCard";
import { LoginsCard } from "./LoginsCard";
import { NetworksCard } from "./NetworksCard";
import { meaning } from "./words";

/** Who may reach AgentFlow, who did, and what tasks may cost. */
export function SecuritySection() {
  const { t } = useTranslation();
  const { stand, budgets, logins, busy, error } = useSecurity();
  useEffect(() => {
    void securityActions.load();
  }, []);
  const again = (
    <Button size="sm" icon={RefreshCw} busy={busy} onClick={() => void securityActions.load()}>
      {t("security.refresh")}
    </Button>
  );
  if (error && !stand)
    return (
      <ErrorState title={t("security.failed")} actions={again}>
        {meaning(t, error)}
      </ErrorState>
    );
  if (!stand || !budgets || !logins) return <Skeleton lines={8} label={t("common.loading")} />;
  return (
    <>
      <div className="row flex-wrap gap-y-2">
        <p className="t2 grow">{t("security.what")}</p>
        <span className="ml-auto">{again}</span>
      </div>
      {error && <ErrorState title={t("security.failed")}>{meaning(t, error)}</ErrorState>}
      <DoorCard stand={stand} />
      <LoginsCard logins={logins} />
      <CallersCard callers={stand.callers} />
      <NetworksCard key={`${stand.allow.join()}|${stand.proxies.join()}`} stand={stand} />
      <LockoutsCard lockouts={stand.lockouts} wrong={stand.wrongTokens} />
      <BudgetsCard budgets={budgets} />
      <AuditCard auditsPrompts={stand.auditsPrompts} />
    </>
  );
}
