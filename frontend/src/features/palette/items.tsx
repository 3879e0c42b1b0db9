import { Flag, Server, Waypoints, type LucideIcon } from "lucide-react";
import { useEffect, useMemo, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { KindGlyph } from "@/flow";
import { gatewayName } from "@/i18n/gateway";
import { formatWhen } from "@/i18n/format";
import { useDrawing } from "@/stores/drawing";
import { drawingActions, useDrawings } from "@/stores/drawings";
import { useGateways } from "@/stores/gateways";
import { useUi } from "@/stores/ui";
import { connectionKey, displayName, drawnKind, faceOf, shortModel, type Version } from "@/topology";
import { Avatar, ColourSquare } from "@/ui";
import type { Rankable } from "./rank";

/** Something that can be run by name. */
export type PaletteCommand = { id: string; label: string; icon: LucideIcon; keys?: string; /** Other words for it. */ words?: string; run: () => unknown };

export const kinds = ["agent", "connection", "drawing", "version", "gateway", "command"] as const;
export type ItemKind = (typeof kinds)[number];

export type PaletteItem = Rankable & { kind: ItemKind; lead: ReactNode; caption?: ReactNode; end?: ReactNode; keys?: string; run: () => unknown };

/** Where things lead that are shown by other screens. */
export type Ways = { drawing: (id: string) => unknown; gateway: (name: string) => unknown; version: (id: string) => unknown };

const onCanvas = (run: () => void) => () => { useUi.getState().go("canvas"); run(); };

/** Everything that can be found or run now. */
export function useItems(commands: readonly PaletteCommand[], ways: Ways): PaletteItem[] {
  const { t } = useTranslation();
  const topology = useDrawing((s) => s.topology), faces = useDrawing((s) => s.faces), id = useDrawing((s) => s.id);
  const drawings = useDrawings(), gateways = useGateways(), versions = useNamed(id);
  return useMemo(() => {
    const names = new Map(topology.agents.map((a) => [a.id, displayName(a)]));
    const ui = useUi.getState();
    const agents = topology.agents.map((a): PaletteItem => ({
      id: `agent:${a.id}`, kind: "agent", title: displayName(a), words: `${a.id} ${a.model ?? ""} ${a.role ?? ""}`,
      lead: <Avatar {...faceOf(faces, a.id)} size="sm" />, caption: <span className="mono" translate="no">{[a.id, a.model && shortModel(a.model)].filter(Boolean).join(" · ")}</span>, end: t("palette.goTo"),
      run: onCanvas(() => { ui.choose({ agents: [a.id] }); ui.revealAgents([a.id]); }),
    }));
    const lines = topology.agents.flatMap((a) => (a.connections ?? []).map((c): PaletteItem => ({
      id: `connection:${connectionKey({ from: a.id, kind: c.type, to: c.targetId })}`, kind: "connection", title: `${displayName(a)} → ${names.get(c.targetId) ?? c.targetId}`, words: `${a.id} ${c.targetId} ${c.type} ${c.label ?? ""}`,
      lead: <KindGlyph kind={drawnKind(c.type)} />, end: t(`kind.${drawnKind(c.type)}`),
      run: onCanvas(() => { ui.choose({ connections: [connectionKey({ from: a.id, kind: c.type, to: c.targetId })] }); ui.revealAgents([a.id, c.targetId]); }),
    })));
    return [
      ...agents, ...lines,
      ...drawings.map((d): PaletteItem => ({ id: `drawing:${d.id}`, kind: "drawing", title: d.name, words: d.gateway, lead: <Waypoints size={16} className="t2" aria-hidden />, caption: d.id === id ? t("palette.openNow") : undefined, end: t("counts.agents", { count: d.agents }), run: () => ways.drawing(d.id) })),
      ...versions.map((v): PaletteItem => ({ id: `version:${v.id}`, kind: "version", title: v.name ?? "", lead: <Flag size={16} className="t2" aria-hidden />, end: formatWhen(v.at), run: () => ways.version(v.id) })),
      ...gateways.map((g): PaletteItem => ({ id: `gateway:${g.name}`, kind: "gateway", title: gatewayName(t, g.name), words: `${g.name} ${g.url}`, lead: <Server size={16} className="t2" aria-hidden />, caption: <ColourSquare colour={g.color} />, end: t(`status.gateway.${g.state}`), run: () => ways.gateway(g.name) })),
      ...commands.map((c): PaletteItem => ({ id: `command:${c.id}`, kind: "command", title: c.label, words: c.words, lead: <c.icon size={16} className="t2" aria-hidden />, keys: c.keys, run: c.run })),
    ];
  }, [topology, faces, id, drawings, gateways, versions, commands, ways, t]);
}

/** The named versions of the open drawing, read when the palette opens; nobody waits for them. */
function useNamed(id: string): Version[] {
  const [got, setGot] = useState<{ of: string; versions: Version[] }>({ of: "", versions: [] });
  useEffect(() => {
    if (!id) return;
    let gone = false;
    drawingActions.versions(id, { limit: 1000 }).then((r) => { if (!gone) setGot({ of: id, versions: r.versions.filter((v) => v.name) }); }, () => undefined);
    return () => { gone = true; };
  }, [id]);
  return got.of === id ? got.versions : none;
}
const none: Version[] = [];
