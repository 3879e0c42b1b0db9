import { useEffect, useMemo, useState } from "react";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { channelNodeId, type Lane as Drawn, type LaneActs } from "@/flow";
import { useAnswer, useRoutes } from "@/stores/messageRoutes";
import { pickRoute, showRoutes, useRouting } from "@/stores/routing";
import { useTeam } from "@/stores/team";
import type { AgentID, Route, RouteAnswer, RouteFrom } from "@/topology";
import { announce } from "@/ui";
import { drawLane, type LaneCache } from "./drawLane";
import { addBinding, castInto, changeBinding, removeBindings } from "./edit";
import { accountKey, bindingFrom, castNodeId, laneOf, type LaneOf, type LaneRule } from "./lane";

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
            answered: got && asked && answeredBy(asked, got),
          },
          cache,
        ),
        acts: actsOn(lane, t),
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

/** Where an answer comes from: the conversation of a broadcast group, or the account of the channel. */
function answeredBy(asked: RouteFrom, got: RouteAnswer) {
  const channel = asked.channel.trim().toLowerCase(),
    byDefault = got.reason === "default";
  return got.group !== undefined
    ? { card: castNodeId(got.group), byDefault, cast: got.broadcast ?? [] }
    : { card: channelNodeId(channel, accountKey(asked.account ?? "")), byDefault };
}

/** A rule of the lane as the edits know it. */
const route = (r: LaneRule): Route => ({ at: r.at, raw: r.raw, agent: r.agent, match: r.match });

/** What is done to a line or card of a broadcast group; undefined for those of bindings. */
function castActs({ cards, lines }: LaneOf, t: TFunction) {
  const of = (line: string) => lines.find((l) => l.id === line && l.group),
    said = (done: boolean, words: string) => {
      if (done) announce(words);
      return done;
    };
  return {
    bind: (id: string, agent: AgentID) => {
      const group = cards.find((c) => c.id === id)?.group;
      if (!group) return undefined;
      if (group.agents.includes(agent)) return false;
      return said(castInto(group, [...group.agents, agent]), t("routes.broadcast.joined"));
    },
    move: (line: string, agent: AgentID) => {
      const l = of(line);
      if (!l?.group) return undefined;
      if (l.group.agents.includes(agent)) return false;
      return castInto(
        l.group,
        l.group.agents.map((id) => (id === l.agent ? agent : id)),
      );
    },
    remove: (line: string) => {
      const l = of(line);
      if (!l?.group) return undefined;
      const left = l.group.agents.filter((id) => id !== l.agent),
        done = castInto(l.group, left);
      if (done) pickRoute(undefined);
      return said(done, t(left.length ? "routes.broadcast.left" : "routes.broadcast.removed"));
    },
    pick: (line: string) => {
      const l = of(line);
      if (!l?.group) return undefined;
      pickRoute(line, [], l.group.key);
      showRoutes();
      return true;
    },
    edit: (line: string) => {
      const l = of(line);
      if (!l?.group) return undefined;
      showRoutes();
      useRouting.setState({ cast: { key: l.group.key } });
      return true;
    },
  };
}

function actsOn(lane: LaneOf, t: TFunction): LaneActs {
  const { cards, lines } = lane,
    cast = castActs(lane, t);
  const of = (line: string) => lines.find((l) => l.id === line)?.rules ?? [];
  return {
    bind: (id, agent) => {
      const joined = cast.bind(id, agent);
      if (joined !== undefined) return joined;
      const card = cards.find((c) => c.id === id);
      if (!card) return false;
      addBinding(bindingFrom(card, agent));
      const at = (useTeam.getState().topology.bindings?.length ?? 0) - 1;
      announce(t("routes.added"));
      pickRoute(`binding:${at}`, [at]);
      useRouting.setState({ edited: at });
      showRoutes();
      return true;
    },
    move: (line, agent) => {
      const moved = cast.move(line, agent);
      if (moved !== undefined) return moved;
      const [rule] = of(line);
      if (!rule || typeof rule.raw !== "object" || rule.raw === null) return false;
      return changeBinding(route(rule), { ...rule.raw, agentId: agent });
    },
    remove: (line) => {
      const left = cast.remove(line);
      if (left !== undefined) return left;
      const done = removeBindings(of(line).map(route));
      if (done) {
        pickRoute(undefined);
        announce(t("routes.removed"));
      }
      return done;
    },
    pick: (line) => {
      if (cast.pick(line)) return;
      const rules = of(line);
      pickRoute(
        rules.length ? line : undefined,
        rules.map((r) => r.at),
      );
      if (rules.length) showRoutes();
    },
    edit: (line) => {
      if (cast.edit(line)) return;
      const rules = of(line),
        [rule] = rules;
      if (!rule) return;
      showRoutes();
      if (rules.length === 1) useRouting.setState({ edited: rule.at });
    },
  };
}
