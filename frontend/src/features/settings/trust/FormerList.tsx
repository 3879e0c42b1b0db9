import { useTranslation } from "react-i18next";
import { formatWhen } from "@/i18n/format";
import { attempt } from "@/stores/faults";
import { trustActions } from "@/stores/trust";
import type { TrustTeam } from "@/topology";
import { Button, marked } from "@/ui";

/** What is allowed to agents that no longer ask for anything, once per agent. */
export function FormerList({ team }: { team: TrustTeam }) {
  const { t } = useTranslation();
  const last = new Map(team.former.map((e) => [e.agent, e.at]));
  return (
    <div className="rounded-[var(--r-2)] border border-line-2">
      <h3 className="cap border-b border-line px-3 py-2">{t("trust.former")}</h3>
      <ul className="rows">
        {[...last].map(([agent, at]) => (
          <li key={agent} className="trow">
            <span className="mono wrap-anywhere" translate="no">
              {marked(agent)}
            </span>
            <time className="cap grow" dateTime={at}>
              {t("trust.allowedAt", { when: formatWhen(at, true) })}
            </time>
            <Button
              size="sm"
              aria-label={t("trust.revokeOf", { name: marked(agent) })}
              onClick={() => void attempt("trustRevoke", () => trustActions.revoke(team.team, agent))}
            >
              {t("trust.revoke")}
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
