import { useTranslation } from "react-i18next";
import { useTarget } from "@/stores/drawing";
import type { Agent } from "@/topology";
import { TextField } from "./TextField";
import type { AgentNotes } from "./use";

const fields = ["url", "secretEnv", "fingerprint"] as const;

/** Where the agent runs, if it is a process of its own. OpenClaw's agents all run in the gateway: there it is shown only if it is set. */
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
      <TextField agent={agent} notes={notes} field="secretEnv" mono placeholder="WORKER_SECRET" />
      <TextField agent={agent} notes={notes} field="fingerprint" mono placeholder="sha256:…" />
    </details>
  );
}
