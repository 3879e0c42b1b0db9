import { useTranslation } from "react-i18next";
import { formatNumber } from "@/i18n/format";
import type { AgentTools } from "@/topology";
import { Badge } from "@/ui";

/** Which tools the agent can use now, as the gateway says: the draft isn't in it yet. */
export function EffectiveTools({ tools }: { tools: NonNullable<AgentTools["effective"]> }) {
  const { t } = useTranslation();
  return (
    <details className="field">
      <summary>
        {t("inspector.toolsNow")} <Badge>{`${formatNumber(tools.tools.length)}${tools.partial ? "+" : ""}`}</Badge>
      </summary>
      <p className="cap mt-1">{t("inspector.toolsNowWhy", { session: tools.session })}</p>
      <ul className="mono mt-1 select-text">
        {tools.tools.map((name) => (
          <li key={name} className="cut">
            {name}
          </li>
        ))}
      </ul>
    </details>
  );
}
