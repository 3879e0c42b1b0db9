import type { TFunction } from "i18next";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { problemShort } from "../i18n/problem";
import {
  everyoneBox,
  everyoneSets,
  isOfEveryone,
  shortModel,
  type Mark,
  type Problem,
  type Topology,
} from "../topology";
import type { EveryoneFlowNode } from "./flowPicture";

/** The node of everyone: no agent's ID has a colon. */
export const EVERYONE_NODE = "everyone:";

type Sets = Pick<Topology, "defaults" | "messages">;
type Picture = {
  topology: Topology;
  /** It differs from what was applied, or from the other side. */ mark?: Mark;
  chosen?: boolean;
  problems?: readonly Problem[];
  /** Review, history and merge: the mark tints the whole node. */ review?: boolean;
};

/** What is set for everyone, in few words: what of it matters most, and how many values. */
export function everyoneWords(t: TFunction, topology: Sets): { sets: string; count?: string } {
  const { model, thinking, count } = everyoneSets(topology);
  if (!count) return { sets: t("canvas.everyone.none") };
  const named = [model && shortModel(model), thinking && t("canvas.everyone.thinking", { level: thinking })];
  return {
    sets: named.filter(Boolean).join(" · ") || t("canvas.everyone.for"),
    count: t("canvas.everyone.settings", { count }),
  };
}

/** Whether something is set for everyone. */
export const hasEveryone = (t: Sets): boolean => everyoneSets(t).count > 0;

/**
 * The node of what every agent inherits. It takes no part in the team: it has no ends for connections, isn't dragged,
 * and no box or key chooses it together with others.
 */
export function everyoneNode(
  t: TFunction,
  { topology, mark, chosen, problems = [], review }: Picture,
): EveryoneFlowNode {
  const { x, y, w: width, h: height } = everyoneBox(topology);
  const title = t("canvas.everyone.title"),
    { sets, count } = everyoneWords(t, topology),
    mine = problems.filter(isOfEveryone),
    first = mine.find((p) => p.severity === "error"),
    fault = first && problemShort(t, first);
  return {
    id: EVERYONE_NODE,
    type: "everyone",
    position: { x, y },
    width,
    height,
    measured: { width, height },
    handles: [],
    draggable: false,
    selectable: false,
    connectable: false,
    selected: !!chosen,
    data: { title, sets, count, fault: review ? undefined : fault, mark, fill: review },
    ariaLabel: [
      title,
      sets,
      count,
      mark && t("mark.changed"),
      mine[0] && t("spoken.problems", { count: mine.length, first: fault ?? problemShort(t, mine[0]) }),
    ]
      .filter(Boolean)
      .join(t("list.comma")),
    domAttributes: { "aria-roledescription": t("canvas.everyone.kind") },
  };
}

/** The node, if it is shown. While nothing about it is new, it is the same object, for React Flow to leave alone. */
export function useEveryoneNode({ shown, ...p }: Picture & { shown: boolean }): EveryoneFlowNode | undefined {
  const { t } = useTranslation();
  const { topology, mark, chosen, problems, review } = p;
  const made = useMemo(
    () => (shown ? everyoneNode(t, { topology, mark, chosen, problems, review }) : undefined),
    [t, shown, topology, mark, chosen, problems, review],
  );
  const [had, keep] = useState(made);
  if (had === made || JSON.stringify(had) === JSON.stringify(made)) return had;
  keep(made);
  return made;
}
