import { TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useAgentTools } from "@/stores/agentTools";
import type { AgentID } from "@/topology";
import { doubt, useOffer, type Named } from "../offers";
import { SettingControl, type ControlProps } from "./SettingControl";
import { pathText, type Path } from "./tree";

const named: Record<string, Named> = { skills: "skills", "tools.alsoAllow": "tools" };

/** What the entries of a list name, if the gateway may know the names. */
export const namedBy = (path: Path): Named | undefined => named[pathText(path)];

type Props = ControlProps & { kind: Named; /** Undefined for several agents, or all. */ agent?: AgentID };

/** A list of names that the gateway knows. */
export function NamedSetting({ kind, agent, ...p }: Props) {
  const { t } = useTranslation();
  const known = useAgentTools(agent ?? ""),
    offer = useOffer(kind, known);
  const names = Array.isArray(p.value) ? p.value.filter((v): v is string => typeof v === "string") : [];
  // An agent can have skills and plugins that others don't have.
  const warning = agent === undefined ? undefined : doubt(t, kind, known, names);
  return (
    <>
      <SettingControl {...p} offer={offer} warn={p.warn || !!warning} />
      {warning && (
        <span className="hint hint--warn" role="status">
          <TriangleAlert className="inline align-[-2px] mr-1" size={12} aria-hidden />
          {warning}
        </span>
      )}
    </>
  );
}
