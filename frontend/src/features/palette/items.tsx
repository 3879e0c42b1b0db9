import { Flag, Group as GroupIcon, History, Server, Waypoints, type LucideIcon } from "lucide-react";
import { useMemo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { KindGlyph } from "@/flow";
import { gatewayName } from "@/i18n/gateway";
import { formatWhen } from "@/i18n/format";
import { stepText } from "@/i18n/step";
import { useTeam } from "@/stores/team";
import { teamActions, useTeams } from "@/stores/teams";
import { useGateways } from "@/stores/gateways";
import { useRead } from "@/stores/read";
import { useUi } from "@/stores/ui";
import { connectionKey, displayName, drawnKind, faceOf, shortModel, type Version } from "@/topology";
import { Avatar, ColorSquare } from "@/ui";
import type { Rankable } from "./rank";

/** Something that can be run by name. */
export type PaletteCommand = {
  id: string;
  label: string;
  icon: LucideIcon;
  keys?: string;
  /** Other words for it. */ words?: string;
  /** Why it can't be run now. */ off?: string;
  run: () => unknown;
};

export const kinds = [
  "agent",
  "connection",
  "group",
  "team",
  "version",
  "gateway",
  "command",
  "room",
  "task",
  "template",
  "file",
] as const;
export type ItemKind = (typeof kinds)[number];

/** Things that other parts hold. */
export type PaletteThing = {
  kind: "room" | "task" | "template" | "file";
  id: string;
  title: string;
  icon: LucideIcon;
  words?: string;
  end?: string;
  run: () => unknown;
};

/** Its pictures are made when it is shown: of thousands, few are. */
export type PaletteItem = Rankable & {
  kind: ItemKind;
  lead: () => ReactNode;
  caption?: () => ReactNode;
  end?: string;
  keys?: string;
  /** Why it can't be run now. */ off?: string;
  run: () => unknown;
};

/** Where things lead that are shown by other screens. */
export type Ways = {
  team: (id: string) => unknown;
  gateway: (name: string) => unknown;
  version: (id: string) => unknown;
};

const onCanvas = (run: () => void) => () => {
  useUi.getState().go("canvas");
  run();
};

/** Everything that can be found or run now. */
export function useItems(
  commands: readonly PaletteCommand[],
  ways: Ways,
  things: readonly PaletteThing[],
): PaletteItem[] {
  const { t } = useTranslation();
  const topology = useTeam((s) => s.topology),
    faces = useTeam((s) => s.faces),
    id = useTeam((s) => s.id);
  const teams = useTeams(),
    gateways = useGateways(),
    versions = useLately(id);
  return useMemo(() => {
    const names = new Map(topology.agents.map((a) => [a.id, displayName(a)]));
    const ui = useUi.getState();
    const agents = topology.agents.map((a): PaletteItem => ({
      id: `agent:${a.id}`,
      kind: "agent",
      title: displayName(a),
      words: `${a.id} ${a.model ?? ""} ${a.role ?? ""}`,
      lead: () => <Avatar {...faceOf(faces, a.id)} size="sm" />,
      caption: () => (
        <span className="mono" translate="no">
          {[a.id, a.model && shortModel(a.model)].filter(Boolean).join(" · ")}
        </span>
      ),
      end: t("palette.goTo"),
      run: onCanvas(() => {
        ui.choose({ agents: [a.id] });
        ui.revealAgents([a.id]);
      }),
    }));
    const lines = topology.agents.flatMap((a) =>
      (a.connections ?? []).map((c): PaletteItem => ({
        id: `connection:${connectionKey({ from: a.id, kind: c.type, to: c.targetId })}`,
        kind: "connection",
        title: `${displayName(a)} → ${names.get(c.targetId) ?? c.targetId}`,
        words: `${a.id} ${c.targetId} ${c.type} ${c.label ?? ""}`,
        lead: () => <KindGlyph kind={drawnKind(c.type)} />,
        end: t(`kind.${drawnKind(c.type)}`),
        run: onCanvas(() => {
          ui.choose({ connections: [connectionKey({ from: a.id, kind: c.type, to: c.targetId })] });
          ui.revealAgents([a.id, c.targetId]);
        }),
      })),
    );
    const groups = (topology.groups ?? []).map((g): PaletteItem => ({
      id: `group:${g.id}`,
      kind: "group",
      title: g.name || g.id,
      words: (g.members ?? []).map((m) => names.get(m) ?? m).join(" "),
      lead: () => (g.color ? <ColorSquare color={g.color} /> : <GroupIcon size={16} className="t2" aria-hidden />),
      end: t("counts.agents", { count: g.members?.length ?? 0 }),
      run: onCanvas(() => {
        ui.choose({ groups: [g.id] });
        ui.revealAgents(g.members ?? []);
      }),
    }));
    return [
      ...agents,
      ...lines,
      ...groups,
      ...teams.map((d): PaletteItem => ({
        id: `team:${d.id}`,
        kind: "team",
        title: d.name,
        words: d.gateway,
        lead: () => <Waypoints size={16} className="t2" aria-hidden />,
        caption: d.id === id ? () => t("palette.openNow") : undefined,
        end: t("counts.agents", { count: d.agents }),
        run: () => ways.team(d.id),
      })),
      ...versions.map((v): PaletteItem => ({
        id: `version:${v.id}`,
        kind: "version",
        title: v.name || stepText(t, v.label),
        words: v.name ? stepText(t, v.label) : undefined,
        lead: () =>
          v.name ? <Flag size={16} className="t2" aria-hidden /> : <History size={16} className="t2" aria-hidden />,
        end: formatWhen(v.at),
        run: () => ways.version(v.id),
      })),
      ...gateways.map((g): PaletteItem => ({
        id: `gateway:${g.name}`,
        kind: "gateway",
        title: gatewayName(t, g.name),
        words: `${g.name} ${g.url}`,
        lead: () => <Server size={16} className="t2" aria-hidden />,
        caption: () => <ColorSquare color={g.color} />,
        end: t(`status.gateway.${g.state}`),
        run: () => ways.gateway(g.name),
      })),
      ...commands.map((c): PaletteItem => ({
        id: `command:${c.id}`,
        kind: "command",
        title: c.label,
        words: c.words,
        lead: () => <c.icon size={16} className="t2" aria-hidden />,
        keys: c.keys,
        off: c.off,
        end: c.off,
        run: c.run,
      })),
      ...things.map((x): PaletteItem => ({
        id: `${x.kind}:${x.id}`,
        kind: x.kind,
        title: x.title,
        words: x.words,
        lead: () => <x.icon size={16} className="t2" aria-hidden />,
        end: x.end,
        run: x.run,
      })),
    ];
  }, [topology, faces, id, teams, gateways, versions, commands, ways, things, t]);
}

/** The named versions of the open team and its latest ones, read when the palette opens; nobody waits for them. */
function useLately(id: string): Version[] {
  const { data = none } = useRead({
    key: ["lately", id],
    when: !!id,
    read: () =>
      Promise.all([
        teamActions.versions(id, { limit: 500, only: "named" }),
        teamActions.versions(id, { limit: lately }),
      ]).then(([named, last]) => [...named.versions, ...last.versions.filter((v) => !v.name)]),
  });
  return data;
}
const lately = 40;
const none: Version[] = [];
