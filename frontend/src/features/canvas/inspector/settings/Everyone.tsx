import { Users } from "lucide-react";
import { useMemo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useAgentSettings } from "@/stores/agentSettings";
import { attempt } from "@/stores/faults";
import { useTarget, useTeam } from "@/stores/team";
import { useOpenProblems } from "@/stores/trust";
import type { AgentSettings } from "@/topology";
import { Badge, Banner, Button, EmptyState, PanelHead } from "@/ui";
import { MessagesSection } from "../messages/MessagesSection";
import { SettingsForm } from "./AllSettings";
import { setAllForEveryone, setterOfEveryone } from "./edit";
import { RawSettings } from "./RawSettings";

/** Under which the text of its JSON is kept: no agent has this ID. */
const id = "*";
const ofEveryone = (d: AgentSettings) => d.everyone ?? [];

/** The settings that every agent of the gateway inherits. */
export function EveryoneInspector({ close, viewOnly }: { close?: ReactNode; viewOnly?: boolean }) {
  const { t } = useTranslation();
  const changes = useTeam((s) => s.changes.filter((c) => c.subject === "defaults" || c.subject === "messages").length);
  const builtin = !!useTarget()?.builtin;
  return (
    <>
      <PanelHead>
        <Users size={16} aria-hidden />
        <span className="col grow leading-[1.3]">
          <b className="cut">{t("everyone.title")}</b>
          <span className="cap cut">{t("everyone.what")}</span>
        </span>
        {changes > 0 && <Badge tone="chg">{t("inspector.changes", { count: changes })}</Badge>}
        {close}
      </PanelHead>
      <div className="scroll">
        {builtin ? (
          <EmptyState icon={Users} title={t("everyone.builtin")}>
            {t("everyone.builtinWhy")}
          </EmptyState>
        ) : (
          <>
            <MessagesSection viewOnly={viewOnly} />
            <Settings viewOnly={viewOnly} />
          </>
        )}
      </div>
    </>
  );
}

function Settings({ viewOnly }: { viewOnly?: boolean }) {
  const { t } = useTranslation();
  const gateway = useTeam((s) => s.gateway),
    defaults = useTeam((s) => s.topology.defaults),
    base = useTeam((s) => s.base?.topology);
  const { data } = useAgentSettings(gateway);
  const all = useOpenProblems(),
    problems = useMemo(() => all.filter((p) => p.subject === "defaults"), [all]);
  const who = t("everyone.title");
  const own = useMemo(
    () => ({
      set: setterOfEveryone(who),
      own: defaults,
      base: base && (base.defaults ?? {}),
      inherited: undefined,
      problems,
      everyone: true,
      viewOnly,
    }),
    [who, defaults, base, problems, viewOnly],
  );
  // A team that was imported before defaults were read knows none.
  const missing = !!base && !base.defaults && !defaults && !!data?.defaults && Object.keys(data.defaults).length > 0;
  if (missing)
    return (
      <Banner
        tone="waiting"
        actions={
          <Button size="sm" onClick={() => void attempt("import", () => useTeam.getState().importGateway(gateway))}>
            {t("routes.import")}
          </Button>
        }
      >
        {t("everyone.missing")}
      </Banner>
    );
  return (
    <SettingsForm
      own={own}
      settings={ofEveryone}
      raw={
        <RawSettings
          id={id}
          values={defaults}
          whole
          problems={problems}
          viewOnly={viewOnly}
          onValues={(values) => setAllForEveryone(who, values)}
        />
      }
    />
  );
}
