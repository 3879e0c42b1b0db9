import type { TFunction } from "i18next";

type Fact = { code: string; params?: Record<string, string>; text: string };
type Sandbox = { active: boolean; mode: "auto" | "required" | "off"; name: string; gaps: Fact[]; problem?: Fact };

/** In what a command runs on this computer, or why in nothing, and what follows from that. */
export function sandboxText(t: TFunction, s: Sandbox): string {
  if (s.active)
    return t("common.sandbox.in", {
      name: s.name === "landlock" || s.name === "sandbox-exec" ? t(`common.sandbox.${s.name}`) : s.name,
    });
  if (s.mode === "off") return t("common.sandbox.off");
  return t(s.mode === "required" ? "common.sandbox.required" : "common.sandbox.none", {
    why: s.problem ? said(t, "why", s.problem) : "",
  });
}

/** What the sandbox does not cover; "" is nothing. */
export const gapsText = (t: TFunction, s: Sandbox) => s.gaps.map((gap) => said(t, "gap", gap)).join(t("list.comma"));

/** In the person's language; in the hub's own words where we have none. */
const said = (t: TFunction, of: "why" | "gap", f: Fact) =>
  t(`common.sandbox.${of}.${f.code}`, { ...f.params, defaultValue: f.text });
