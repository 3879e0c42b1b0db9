import type { TFunction } from "i18next";

type Sandbox = { active: boolean; mode: "auto" | "required" | "off"; name: string; problem?: string };

/** In what a command runs on this computer, or why in nothing, and what follows from that. */
export function sandboxText(t: TFunction, s: Sandbox): string {
  if (s.active) return t("common.sandbox.in", { name: s.name === "landlock" || s.name === "sandbox-exec" ? t(`common.sandbox.${s.name}`) : s.name });
  if (s.mode === "off") return t("common.sandbox.off");
  return t(s.mode === "required" ? "common.sandbox.required" : "common.sandbox.none", { why: s.problem });
}
