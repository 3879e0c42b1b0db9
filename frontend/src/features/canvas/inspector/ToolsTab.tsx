import { useTranslation } from "react-i18next";
import { formatList } from "@/i18n/format";
import { useAgentTools } from "@/stores/agentTools";
import { useTarget } from "@/stores/team";
import { builtInTools, unknownTools, type Agent, type Tools } from "@/topology";
import { Combobox, Field, RadioGroup } from "@/ui";
import { EffectiveTools } from "./EffectiveTools";
import { LinesField } from "./LinesField";
import { doubt, useOffer } from "./offers";
import { said, Was } from "./TextField";
import { setField, type AgentNotes } from "./use";

/** Which tools the agent may use: the gateway's default, or its own rule. */
export function ToolsTab({ agent, notes }: { agent: Agent; notes: AgentNotes }) {
  const { t } = useTranslation();
  const tools = agent.tools,
    builtIn = useTarget()?.builtin,
    known = useAgentTools(agent.id),
    offer = useOffer("tools", known);
  const unknown = (names: readonly string[] = []) => {
    if (!builtIn) return doubt(t, "tools", known, names);
    const lost = unknownTools(agent, names);
    return lost.length
      ? t("inspector.unknownTools", {
          count: lost.length,
          names: formatList(lost),
          known: formatList(Object.keys(builtInTools)),
        })
      : undefined;
  };
  const hint = builtIn
    ? t("inspector.toolsBuiltIn", {
        tools: formatList(Object.entries(builtInTools).map(([from, of]) => `${from} (${of.join(", ")})`)),
      })
    : t("inspector.toolsHint");
  const set = (patch: Tools) => {
    const next: Tools = { ...tools, ...patch };
    for (const k of ["profile", "allow", "deny"] as const) if (!next[k]?.length) delete next[k];
    setField(agent, "tools", next);
  };
  return (
    <div className="pad">
      <Field
        label={t("inspector.toolsUse")}
        aside={"tools" in notes.was ? <Was value={notes.was.tools} /> : undefined}
        {...said(t, notes.problem("tools"))}
      >
        {() => (
          <RadioGroup
            label={t("inspector.toolsUse")}
            value={tools ? "own" : "default"}
            onValue={(v) => setField(agent, "tools", v === "own" ? {} : undefined, false)}
            options={[
              { value: "default", label: t("inspector.toolsDefault") },
              { value: "own", label: t("inspector.toolsOwn") },
            ]}
          />
        )}
      </Field>
      {tools && (
        <>
          <Field label={t("inspector.profile")} hint={t("inspector.profileHint")}>
            {(ids) => (
              <Combobox
                {...ids}
                value={tools.profile ?? ""}
                options={(known.catalog?.profiles ?? []).map((value) => ({ value }))}
                placeholder={t("inspector.profilePlaceholder")}
                onText={(profile) => set({ profile })}
                emptyText={t(known.catalog ? "inspector.noName" : "inspector.noProfiles")}
                moreText={(n, all) => t("common.someOf", { n, all })}
                openLabel={t("inspector.showProfiles")}
              />
            )}
          </Field>
          <LinesField
            label={t("inspector.allow")}
            hint={hint}
            value={tools.allow ?? []}
            offer={offer}
            warning={unknown(tools.allow)}
            onLines={(allow) => set({ allow })}
          />
          <LinesField
            label={t("inspector.deny")}
            hint={hint}
            value={tools.deny ?? []}
            offer={offer}
            warning={unknown(tools.deny)}
            onLines={(deny) => set({ deny })}
          />
        </>
      )}
      {known.effective && <EffectiveTools tools={known.effective} />}
    </div>
  );
}
