import { Folder } from "lucide-react";
import { useTranslation } from "react-i18next";
import { coordinatorRole, isCoordinator, type Agent } from "@/topology";
import { Switch } from "@/ui";
import { ConnectionsSection } from "./ConnectionsSection";
import { ElsewhereFields } from "./ElsewhereFields";
import { HereFields } from "./HereFields";
import { IdField } from "./IdField";
import { LinesField } from "./LinesField";
import { ModelField } from "./ModelField";
import { said, TextField, Was } from "./TextField";
import { setField, type AgentNotes } from "./use";

export function GeneralTab({ agent, notes }: { agent: Agent; notes: AgentNotes }) {
  const { t } = useTranslation();
  const was = (f: string) => (f in notes.was ? <Was value={notes.was[f]} /> : undefined);
  return (
    <>
      <div className="section">
        <TextField agent={agent} notes={notes} field="name" placeholder={t("inspector.namePlaceholder")} />
        <IdField key={agent.id} agent={agent} notes={notes} />
        <TextField agent={agent} notes={notes} field="role" placeholder={t("inspector.rolePlaceholder")} />
        <div className="mb-3">
          <Switch
            label={t("inspector.receives")}
            hint={t("inspector.receivesHint", { role: coordinatorRole })}
            checked={isCoordinator(agent.role)}
            onChecked={(on) => setField(agent, "role", on ? coordinatorRole : undefined, false)}
          />
        </div>
        <ModelField
          label={t("field.model")}
          value={agent.model ?? ""}
          onText={(v) => setField(agent, "model", v)}
          changed={"model" in notes.was}
          aside={was("model")}
          {...said(t, notes.problem("model"))}
        />
        <LinesField
          label={t("field.fallbacks")}
          hint={t("inspector.fallbacksHint")}
          value={agent.fallbacks ?? []}
          changed={"fallbacks" in notes.was}
          aside={was("fallbacks")}
          onLines={(l) => setField(agent, "fallbacks", l.length ? l : undefined)}
          {...said(t, notes.problem("fallbacks"))}
        />
        <TextField
          agent={agent}
          notes={notes}
          field="workspace"
          icon={Folder}
          mono
          placeholder={t("inspector.workspacePlaceholder")}
        />
      </div>
      <ConnectionsSection agent={agent} notes={notes} />
      <HereFields key={`here:${agent.id}`} agent={agent} />
      <ElsewhereFields key={agent.id} agent={agent} notes={notes} />
    </>
  );
}

export function PersonaTab({ agent, notes }: { agent: Agent; notes: AgentNotes }) {
  const { t } = useTranslation();
  return (
    <div className="pad">
      <TextField
        agent={agent}
        notes={notes}
        field="persona"
        lines={16}
        placeholder={t("inspector.personaPlaceholder")}
      />
      <TextField agent={agent} notes={notes} field="description" lines={3} />
    </div>
  );
}
