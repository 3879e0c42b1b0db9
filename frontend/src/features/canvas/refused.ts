import { i18next } from "@/i18n";
import { useTeam } from "@/stores/team";
import { useUi } from "@/stores/ui";
import { allConnections, chosenCount, connectionKey, type AgentID } from "@/topology";
import { toast, type ShortcutId } from "@/ui";
import { nameOf } from "./actions";
import { linesOf } from "./follow";

// A key that cannot do what it is for says what it wants, instead of doing nothing.

const t = i18next.t.bind(i18next);

/** What a connection's key lacks: a connection to begin with, or one between the two that is still free. */
function ofLine(): string {
  const {
    connections: [key],
    ...rest
  } = useUi.getState().chosen;
  const line =
    key && !rest.agents.length && !rest.notes.length
      ? allConnections(useTeam.getState().topology).find((c) => connectionKey(c) === key)
      : undefined;
  return line ? t("refused.taken", { from: nameOf(line.from), to: nameOf(line.to) }) : t("refused.line");
}

/** What walking along connections lacks. */
function ofWay(focused: AgentID | undefined): string {
  const {
      agents: [agent],
      connections,
    } = useUi.getState().chosen,
    from = agent ?? (connections.length ? focused : undefined);
  if (!from) return t("refused.agent");
  return linesOf(useTeam.getState().topology, from).length
    ? t("refused.noneThere", { name: nameOf(from) })
    : t("refused.noLines", { name: nameOf(from) });
}

const several = () => t(chosenCount(useUi.getState().chosen) < 2 ? "refused.two" : "refused.three");
const thing = () => t(useUi.getState().chosen.everyone ? "refused.everyone" : "refused.nothing");

const whys: { [I in ShortcutId]?: (focused: AgentID | undefined) => string } = {
  undo: () => t("refused.undo"),
  redo: () => t("refused.redo"),
  review: () => t("refused.review"),
  connect: () => t("refused.agent"),
  follow: ofWay,
  lines: ofWay,
  reverse: ofLine,
  kind: ofLine,
  alignSides: several,
  alignLevels: several,
  spreadX: several,
  spreadY: several,
  rename: thing,
  remove: thing,
  duplicate: thing,
  move: thing,
  moveFine: thing,
};

/** Says why a shortcut did nothing. Where it means nothing now, nothing is said. */
export function tellWhy(id: ShortcutId, focused: AgentID | undefined): boolean {
  const why = whys[id];
  if (why) toast({ id: "refused", text: why(focused), closeLabel: t("common.close"), for: 4000 });
  return !!why;
}
