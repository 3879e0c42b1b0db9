import { CircleAlert } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatList } from "@/i18n/format";
import { useTeam } from "@/stores/team";
import { displayName, faceOf, shortModel } from "@/topology";
import { Avatar, Button, matches } from "@/ui";
import { useOtherTeams } from "./otherTeams";
import { PriceButton, PriceDialog } from "./Price";

const few = 6;

type Props = {
  provider: string;
  models: string[];
  query: string;
  /** The list is the provider's own; without it nothing is said to be missing. */ known: boolean;
  onTest: (model: string) => void;
};

/** The models of a provider, and which agents of the open team and which other teams use them. */
export function ModelTable({ provider, models, query, known, onTest }: Props) {
  const { t } = useTranslation();
  const agents = useTeam((s) => s.topology.agents),
    faces = useTeam((s) => s.faces);
  const elsewhere = useOtherTeams();
  const [all, setAll] = useState(false);
  const [pricing, setPricing] = useState<string>();
  const users = (model: string) => agents.filter((a) => a.model === model);
  const missing = known
    ? [...new Set(agents.map((a) => a.model ?? "").filter((m) => m.startsWith(`${provider}/`) && !models.includes(m)))]
    : [];
  const teams = new Map(models.map((m) => [m, elsewhere((x) => x === m)]));
  const uses = (m: string) => users(m).length + (teams.get(m)?.length ?? 0);
  const found = models.filter((m) => !query || matches(m, query)).sort((a, b) => uses(b) - uses(a));
  const shown = all || query ? found : found.slice(0, few);
  if (!models.length && !missing.length) return null;
  if (query && !found.length)
    return <div className="cap border-t border-line px-3 py-2">{t("models.searchNothing", { query })}</div>;
  return (
    <div className="border-t border-line">
      <table className="table table-fixed">
        <thead>
          <tr>
            <th scope="col">{t("models.model")}</th>
            <th scope="col" className="w-32 phone:w-20">
              {t("models.usedBy")}
            </th>
            <th scope="col" className="w-20">
              <span className="sr-only">{t("models.test")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((m) => (
            <tr key={m}>
              <td className="py-1!">
                <div className="mono cut" title={m} translate="no">
                  {shortModel(m)}
                </div>
                <PriceButton model={m} onEdit={() => setPricing(m)} />
              </td>
              <td>
                <span className="row gap-1" title={users(m).map(displayName).join(", ")}>
                  {users(m)
                    .slice(0, 4)
                    .map((a) => (
                      <Avatar key={a.id} size="sm" {...faceOf(faces, a.id)} />
                    ))}
                  {users(m).length > 4 && <span className="cap num">+{users(m).length - 4}</span>}
                  <span className="sr-only">{formatList(users(m).map(displayName))}</span>
                  {!!teams.get(m)?.length && (
                    <span className="cap cut" title={formatList(teams.get(m) ?? [])}>
                      {t("models.otherTeams", { count: teams.get(m)?.length })}
                      <span className="sr-only">{formatList(teams.get(m) ?? [])}</span>
                    </span>
                  )}
                </span>
              </td>
              <td className="num">
                <Button
                  size="sm"
                  tone="quiet"
                  aria-label={t("models.testModel", { model: m })}
                  onClick={() => onTest(shortModel(m))}
                >
                  {t("models.test")}
                </Button>
              </td>
            </tr>
          ))}
          {missing.map((m) => (
            <tr key={m}>
              <td className="mono cut text-failed" title={m} translate="no">
                {shortModel(m)}
              </td>
              <td colSpan={2} className="text-failed whitespace-normal!">
                <span className="row">
                  <CircleAlert size={14} aria-hidden />
                  <span>{t("models.missing", { names: formatList(users(m).map(displayName)) })}</span>
                </span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {!query && (
        <div className="row flex-wrap gap-1 border-t border-line px-3 py-1 text-12">
          <span className="t3">{t("models.price.others")}</span>
          <PriceButton model={`${provider}/*`} onEdit={() => setPricing(`${provider}/*`)} />
        </div>
      )}
      {pricing && <PriceDialog key={pricing} model={pricing} onClose={() => setPricing(undefined)} />}
      {!query && found.length > few && (
        <div className="px-2 py-1">
          <Button size="sm" tone="quiet" aria-expanded={all} onClick={() => setAll(!all)}>
            {t(all ? "models.showLess" : "models.showAll", { count: found.length })}
          </Button>
        </div>
      )}
    </div>
  );
}
