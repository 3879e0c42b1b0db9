import type { TFunction } from "i18next";
import { causeText } from "@/i18n/cause";
import { formatList } from "@/i18n/format";
import type { TaskType } from "@/stores/taskDraft";
import type { Candidate } from "@/topology";
import { atGateway } from "./elsewhere";

const nameOf = (agents: readonly Candidate[], id: string) => agents.find((a) => a.id === id)?.name || id;

export type Hindrance = { text: string; /** The connection that would help. */ connect?: { from: string; to: string } };

/** What keeps an agent from being given such a task; nothing where nobody knows it. "" is the team. */
export function hindrance(
  t: TFunction,
  agents: readonly Candidate[],
  id: string,
  type: TaskType,
): Hindrance | undefined {
  if (!id || !agents.length) return undefined;
  const a = agents.find((x) => x.id === id);
  const there = atGateway(id);
  if (!a) return { text: there ? t("tasks.to.goneThere", there) : t("tasks.to.gone", { name: id }) };
  if (!a.may) {
    const missing = a.missing ?? [],
      from = missing[0];
    return {
      text: t("tasks.to.missing", { from: formatList(missing.map((m) => nameOf(agents, m))), to: a.name || a.id }),
      ...(from && { connect: { from, to: a.id } }),
    };
  }
  return a.can.includes(type)
    ? undefined
    : {
        text: t("tasks.to.cannot", {
          name: a.name || a.id,
          why: a.can.length
            ? t("tasks.to.noTool", { kind: t(`tasks.type.${type}`) })
            : causeText(t, a.cause, a.why ?? "", (x) => nameOf(agents, x)).replace(/[.。]$/, ""),
        }),
      };
}

/** The same in few words, for a menu. */
export function hindranceShort(t: TFunction, agents: readonly Candidate[], a: Candidate, type: TaskType): string {
  if (!a.may) return t("tasks.to.missingShort", { from: nameOf(agents, a.missing?.[0] ?? "") });
  if (a.gateway && !a.can.length) return t("tasks.to.away");
  if (!a.can.includes(type))
    return a.can.length ? t("tasks.to.noTool", { kind: t(`tasks.type.${type}`) }) : t("tasks.to.noModel");
  if (a.task) return t("tasks.to.busy");
  return a.gateway ? t("tasks.to.at", { gateway: a.gateway }) : "";
}
