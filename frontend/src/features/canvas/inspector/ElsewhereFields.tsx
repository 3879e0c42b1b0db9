import { useTranslation } from "react-i18next";
import { useTarget } from "@/stores/team";
import { speaking, speaksA2A, type Agent } from "@/topology";
import { Segmented } from "@/ui";
import { TextField } from "./TextField";
import { setField, type AgentNotes } from "./use";

const fields = ["url", "secretEnv", "fingerprint"] as const;

/** Where a remote agent runs. OpenClaw's agents all run in the gateway, so there it is shown only if it is set. */
export function ElsewhereFields({ agent, notes }: { agent: Agent; notes: AgentNotes }) {
  const { t } = useTranslation();
  const target = useTarget();
  const said = fields.some((f) => agent[f] || f in notes.was || notes.problem(f));
  if (!said && target?.dialect === "framed") return null;
  return (
    <details className="section" open={said || undefined}>
      <summary className="cap">{t("inspector.elsewhere")}</summary>
      <p className="cap mt-1">{t("inspector.elsewhereHint")}</p>
      <TextField agent={agent} notes={notes} field="url" mono placeholder="https://192.0.2.7:8000" />
      {agent.url && (
        <div className="row my-2">
          <span className="cap grow">{t("inspector.speaks")}</span>
          <Segmented
            size="sm"
            label={t("inspector.speaks")}
            value={speaksA2A(agent.url) ? "a2a" : "agentflow"}
            options={[
              { value: "agentflow", label: "AgentFlow" },
              { value: "a2a", label: "A2A" },
            ]}
            onValue={(v) => setField(agent, "url", speaking(agent.url ?? "", v === "a2a"), false)}
          />
        </div>
      )}
      <TextField agent={agent} notes={notes} field="secretEnv" mono placeholder="AGENTFLOW_AGENT_WORKER" />
      <TextField agent={agent} notes={notes} field="fingerprint" mono placeholder="sha256:…" />
    </details>
  );
}
