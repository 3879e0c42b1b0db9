import { Bot } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useHub } from "@/stores/hub";
import { useLocalAgents } from "@/stores/localAgents";
import type { LocalAgent } from "@/topology";
import { Button, EmptyState, Skeleton } from "@/ui";
import { addAgent, useSection } from "../section";
import { AddAgent } from "./AddAgent";
import { AgentCard } from "./AgentCard";
import { RemoveAgent } from "./RemoveAgent";

/** The agents that run on the hub's computer in processes of their own. */
export function AgentsSection() {
  const { t } = useTranslation();
  const known = useHub((s) => s.known);
  const { agents, candidates } = useLocalAgents();
  const editing = useSection((s) => s.editing);
  const [removing, setRemoving] = useState<LocalAgent>();
  const edited = agents.find((a) => a.id === editing);
  if (!known) return <Skeleton lines={5} label={t("common.loading")} />;
  return (
    <>
      <p className="t2">{t("here.what")}</p>
      {agents.length === 0 && (
        <EmptyState icon={Bot} title={t("here.none")} action={<Button onClick={addAgent}>{t("here.add")}</Button>}>
          {t("here.noneWhy")}
        </EmptyState>
      )}
      {agents.map((a) => (
        <AgentCard
          key={a.id}
          agent={a}
          onConfig={() => useSection.setState({ editing: a.id })}
          onRemove={() => setRemoving(a)}
        />
      ))}
      {(editing === "" || edited) && (
        <AddAgent
          key={editing}
          agent={edited}
          candidates={candidates}
          onClose={() => useSection.setState({ editing: undefined })}
        />
      )}
      {removing && <RemoveAgent agent={removing} onClose={() => setRemoving(undefined)} />}
    </>
  );
}
