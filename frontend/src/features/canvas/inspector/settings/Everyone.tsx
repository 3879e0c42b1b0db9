import { Users } from "lucide-react";
import { useEffect, useRef, type ReactNode, type RefObject } from "react";
import { useTranslation } from "react-i18next";
import { attempt } from "@/stores/faults";
import { useTarget, useTeam } from "@/stores/team";
import { useUi } from "@/stores/ui";
import { EVERYONE, isOfEveryone, type AgentSettings } from "@/topology";
import { Badge, Banner, Button, EmptyState, PanelHead } from "@/ui";
import { MessagesSection } from "../messages/MessagesSection";
import { SettingsForm } from "./AllSettings";
import { setAllForEveryone } from "./edit";
import { RawSettings } from "./RawSettings";
import { useOwnOfEveryone } from "./shown";

/** Under which the text of its JSON is kept: no agent has this ID. */
const id = "*";
const ofEveryone = (d: AgentSettings) => d.everyone ?? [];

/** The settings that every agent of the gateway inherits. */
export function EveryoneInspector({ close, viewOnly }: { close?: ReactNode; viewOnly?: boolean }) {
  const { t } = useTranslation();
  const changes = useTeam((s) => s.changes.filter(isOfEveryone).length);
  const builtin = !!useTarget()?.builtin;
  const body = useRef<HTMLDivElement>(null);
  useAsked(body);
  return (
    <>
      <PanelHead>
        <Users size={16} aria-hidden />
        <span className="col grow leading-[1.3]">
          <b className="cut">{t("canvas.everyone.title")}</b>
          <span className="cap cut">{t("everyone.what")}</span>
        </span>
        {changes > 0 && <Badge tone="chg">{t("inspector.changes", { count: changes })}</Badge>}
        {close}
      </PanelHead>
      <div className="scroll" ref={body}>
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

/** Enter on the node of everyone puts the cursor in the first field. */
function useAsked(body: RefObject<HTMLElement | null>) {
  const ask = useUi((s) => s.focusField);
  useEffect(() => {
    if (ask?.field !== EVERYONE) return;
    body.current?.querySelector<HTMLElement>("input, [role=combobox], [role=radio], button")?.focus();
    useUi.getState().fieldFocused();
  }, [ask, body]);
}

function Settings({ viewOnly }: { viewOnly?: boolean }) {
  const { t } = useTranslation();
  const gateway = useTeam((s) => s.gateway),
    defaults = useTeam((s) => s.topology.defaults);
  const own = useOwnOfEveryone(viewOnly),
    who = t("canvas.everyone.title");
  // A team that was imported before defaults were read knows none.
  if (!own)
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
          problems={own.problems}
          viewOnly={viewOnly}
          onValues={(values) => setAllForEveryone(who, values)}
        />
      }
    />
  );
}
