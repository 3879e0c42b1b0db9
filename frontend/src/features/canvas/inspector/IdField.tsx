import { useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { useTeam } from "@/stores/team";
import { useUi } from "@/stores/ui";
import { idFault, renameAgent, type Agent } from "@/topology";
import { Field, Input, isEnter, composing } from "@/ui";
import type { AgentNotes } from "./use";

/**
 * The id: free to change until the gateway knows the agent by it. Takes effect on leaving the field; one that can't be
 * stays there with its message until it is corrected, or taken back with Escape.
 */
export function IdField({ agent, notes }: { agent: Agent; notes: AgentNotes }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState<string>();
  const fault = useTeam((s) => (typed === undefined ? null : idFault(s.topology, typed, agent.id)));
  const commit = () => {
    if (fault) return;
    if (typed !== undefined && typed !== agent.id) {
      useTeam.getState().edit(`edit.id|${typed}`, (d) => renameAgent(d, agent.id, typed));
      useUi.getState().choose({ agents: [typed] });
    }
    setTyped(undefined);
  };
  return (
    <Field
      label={t("field.id")}
      error={fault ? t(`inspector.id.${fault}`) : undefined}
      hint={notes.applied ? t("inspector.idFixed") : undefined}
    >
      {(ids) => (
        <Input
          {...ids}
          mono
          value={typed ?? agent.id}
          disabled={notes.applied}
          invalid={!!fault}
          onText={setTyped}
          onBlur={commit}
          onKeyDown={(e) => {
            if (isEnter(e)) {
              if (!fault) e.currentTarget.blur();
            } else if (e.key === "Escape" && !composing(e)) {
              flushSync(() => setTyped(undefined)); // so that leaving the field finds nothing typed
              e.currentTarget.blur();
            }
          }}
        />
      )}
    </Field>
  );
}
