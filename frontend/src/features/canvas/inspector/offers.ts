import type { TFunction } from "i18next";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { formatList } from "@/i18n/format";
import { unlistedTools, unreadySkills, type AgentTools } from "@/topology";
import type { ComboOption, LinesOffer } from "@/ui";

type Skill = NonNullable<AgentTools["skills"]>["skills"][number];

/** What keeps a skill from being used. */
const lack = (t: TFunction, s: Skill) =>
  s.missing.length
    ? t("inspector.skillMissing", { what: formatList(s.missing) })
    : t(s.disabled ? "inspector.skillDisabled" : "inspector.skillUnready");

const skillOption = (t: TFunction, s: Skill): ComboOption => ({
  value: s.name,
  note: s.ready ? undefined : t("inspector.notReady"),
  label: s.ready ? s.description : [lack(t, s), s.description].filter(Boolean).join(" · "),
});

/** Which lists can be filled with names that the gateway knows. */
export type Named = "tools" | "skills";

/** The names that the gateway knows, for a list. Undefined if it doesn't tell. */
export function useOffer(kind: Named, of: AgentTools): LinesOffer | undefined {
  const { t } = useTranslation();
  return useMemo(() => {
    const options =
      kind === "tools"
        ? of.catalog?.tools.map((x) => ({ value: x.name, label: x.description, group: x.group }))
        : of.skills?.skills.map((s) => skillOption(t, s));
    if (!options?.length) return undefined;
    return {
      options,
      openLabel: t(kind === "tools" ? "inspector.showTools" : "inspector.showSkills"),
      moreText: (n, all) => t("common.someOf", { n, all }),
    };
  }, [kind, of, t]);
}

/** What to check about the entries of a list, by what the gateway knows. */
export function doubt(t: TFunction, kind: Named, of: AgentTools, names: readonly string[]): string | undefined {
  if (kind === "tools") {
    const lost = unlistedTools(of, names);
    return lost.length ? t("inspector.unlistedTools", { count: lost.length, names: formatList(lost) }) : undefined;
  }
  const { unknown, unready } = unreadySkills(of, names);
  const said = [
    ...(unknown.length ? [t("inspector.unknownSkills", { count: unknown.length, names: formatList(unknown) })] : []),
    ...unready.map((s) => t("inspector.unreadySkill", { name: s.name, why: lack(t, s) })),
  ];
  return said.join(" ") || undefined;
}
