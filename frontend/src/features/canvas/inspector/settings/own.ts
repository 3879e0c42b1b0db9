import type { TFunction } from "i18next";
import { useUi } from "@/stores/ui";
import { pathText, type Path } from "./tree";

type Tab = Exclude<ReturnType<typeof useUi.getState>["inspectorTab"], "settings" | "schedule">;
/** Where the field is, and how its label begins. `field` is one that the inspector focuses when asked. */
type Own = { tab: Tab; label: (t: TFunction) => string; field?: string };

const text = (field: "name" | "role" | "workspace" | "url" | "secretEnv" | "fingerprint"): Own => ({
  tab: "general",
  label: (t) => t(`field.${field}`),
  field,
});
const persona = (field: "persona" | "description"): Own => ({
  tab: "persona",
  label: (t) => t(`field.${field}`),
  field,
});
const model: Own = { tab: "general", label: (t) => t("field.model") };
const fallbacks: Own = { tab: "general", label: (t) => t("field.fallbacks") };

/** The settings that have a field of their own in the inspector. They are edited there, not twice. */
const own: Record<string, Own> = {
  id: { tab: "general", label: (t) => t("field.id") },
  name: text("name"),
  role: text("role"),
  workspace: text("workspace"),
  url: text("url"),
  secretEnv: text("secretEnv"),
  fingerprint: text("fingerprint"),
  persona: persona("persona"),
  description: persona("description"),
  model,
  "model.primary": model,
  "model.fallbacks": fallbacks,
  fallbacks,
  "tools.profile": { tab: "tools", label: (t) => t("inspector.profile") },
  "tools.allow": { tab: "tools", label: (t) => t("inspector.allow") },
  "tools.deny": { tab: "tools", label: (t) => t("inspector.deny") },
  "subagents.allowAgents": { tab: "general", label: (t) => t("inspector.connections") },
};

export const ownField = (path: Path): Own | undefined => own[pathText(path)];

/** Agent fields without a place in the other tabs. They are edited here; only the built-in gateway has them. */
export const isNumberField = (path: Path): path is ["temperature" | "maxTokens"] =>
  path.length === 1 && (path[0] === "temperature" || path[0] === "maxTokens");

/** Opens the tab of a field and puts the cursor there. */
export function goToOwn(t: TFunction, field: Own): void {
  useUi.getState().setTab(field.tab);
  requestAnimationFrame(() => {
    if (field.field) {
      useUi.getState().askField(field.field);
      return;
    }
    const begins = field.label(t);
    const named = [
      ...document.querySelectorAll<HTMLElement>(".panel label, .panel h2, .panel h3, .panel summary"),
    ].find((e) => e.textContent.trim().startsWith(begins));
    const control = named instanceof HTMLLabelElement ? named.control : undefined;
    if (control) control.focus();
    else named?.scrollIntoView({ block: "nearest" });
  });
}
