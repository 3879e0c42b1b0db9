import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { channelNodeId, type Lane as Drawn, type LaneActs } from "@/flow";
import { useAnswer, useRoutes } from "@/stores/messageRoutes";
import { pickRoute, showRoutes, useRouting } from "@/stores/routing";
import { useTeam } from "@/stores/team";
import type { Route } from "@/topology";
import { announce } from "@/ui";
import { drawLane, type LaneCache } from "./drawLane";
import { addBinding, changeBinding, removeBindings } from "./edit";
import { accountKey, bindingFrom, laneOf, type LaneOf, type LaneRule } from "./lane";

type Props = { onLane: (lane: Drawn | undefined) => void };

/** Works out the channels beside the team while they are shown, and hands them to the canvas. */
export function Lane({ onLane }: Props) {
  const { t } = useTranslation();
  const { data: table } = useRoutes();
  const topology = useTeam((s) => s.topology),
    changes = useTeam((s) => s.changes);
  const picked = useRouting((s) => s.picked),
    asked = useRouting((s) => s.asked),
    answer = useAnswer(asked);
  const [cache] = useState<LaneCache>(() => new Map());
  const lane = useMemo(() => table && laneOf(table, topology), [table, topology]);
  const got = asked && answer.current ? answer.data : undefined;
  const drawn = useMemo(
    () =>
      lane && {
        ...drawLane(
          {
            lane,
            topology,
            t,
            changes,
            picked,
            verdicts: got?.verdicts,
            answered: got &&
              asked && {
                card: channelNodeId(asked.channel.trim().toLowerCase(), accountKey(asked.account ?? "")),
                byDefault: got.reason === "default",
              },
          },
          cache,
        ),
        acts: actsOn(lane, t("routes.added"), t("routes.removed")),
      },
    [lane, topology, t, changes, picked, got, asked, cache],
  );
  useEffect(() => onLane(drawn), [drawn, onLane]);
  useEffect(() => () => onLane(undefined), [onLane]);
  // Undo, another window or a deletion can take away what is chosen.
  useEffect(() => {
    if (picked && lane && !lane.lines.some((l) => l.id === picked)) pickRoute(undefined);
  }, [lane, picked]);
  return null;
}

/** A rule of the lane as the edits know it. */
const route = (r: LaneRule): Route => ({ at: r.at, raw: r.raw, agent: r.agent, match: r.match });

function actsOn({ cards, lines }: LaneOf, added: string, removed: string): LaneActs {
  const of = (line: string) => lines.find((l) => l.id === line)?.rules ?? [];
  return {
    bind: (id, agent) => {
      const card = cards.find((c) => c.id === id);
      if (!card) return false;
      addBinding(bindingFrom(card, agent));
      const at = (useTeam.getState().topology.bindings?.length ?? 0) - 1;
      announce(added);
      pickRoute(`binding:${at}`, [at]);
      useRouting.setState({ edited: at });
      showRoutes();
      return true;
    },
    move: (line, agent) => {
      const [rule] = of(line);
      if (!rule || typeof rule.raw !== "object" || rule.raw === null) return false;
      return changeBinding(route(rule), { ...rule.raw, agentId: agent });
    },
    remove: (line) => {
      const done = removeBindings(of(line).map(route));
      if (done) {
        pickRoute(undefined);
        announce(removed);
      }
      return done;
    },
    pick: (line) => {
      const rules = of(line);
      pickRoute(
        rules.length ? line : undefined,
        rules.map((r) => r.at),
      );
      if (rules.length) showRoutes();
    },
    edit: (line) => {
      const rules = of(line),
        [rule] = rules;
      if (!rule) return;
      showRoutes();
      if (rules.length === 1) useRouting.setState({ edited: rule.at });
    },
  };
}
