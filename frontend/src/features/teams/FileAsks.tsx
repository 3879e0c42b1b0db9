import { ShieldAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { AskList, Refusal } from "@/flow";
import type { FileTeam } from "@/topology";
import { marked } from "@/ui";

/** What the teams of a file ask of this computer, whole. To open the file allows none of it. */
export function FileAsks({ teams }: { teams: readonly FileTeam[] }) {
  const { t } = useTranslation();
  const asking = teams.filter((team) => team.trust.length > 0);
  if (!asking.length) return null;
  return (
    <section className="rounded-[var(--r-2)] border border-line-2" aria-label={t("trust.file.title")} data-file-asks>
      <div className="row border-b border-line bg-waiting-soft px-3 py-2">
        <ShieldAlert size={16} className="text-waiting flex-none" aria-hidden />
        <span className="col">
          <b>{t("trust.file.title")}</b>
          <span>{t("trust.file.why")}</span>
        </span>
      </div>
      <div
        className="col max-h-80 gap-3 overflow-auto p-3"
        tabIndex={0}
        role="group"
        aria-label={t("trust.file.title")}
      >
        {asking.map((team, i) => (
          <div key={i} className="col gap-3">
            {teams.length > 1 && <h3 className="label p-0! wrap-anywhere">{marked(team.name)}</h3>}
            {team.trust.map((a) => (
              <div key={a.agent} className="col gap-1.5">
                <b className="wrap-anywhere">{marked(a.name || a.agent)}</b>
                {a.problem && <Refusal problem={a.problem} />}
                <AskList asks={a.asks} unset={a.unset} label={t("trust.asksOf", { name: marked(a.name || a.agent) })} />
              </div>
            ))}
          </div>
        ))}
      </div>
    </section>
  );
}
