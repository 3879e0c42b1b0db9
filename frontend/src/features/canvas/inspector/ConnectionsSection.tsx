import type { TFunction } from "i18next";
import { ArrowLeft, ArrowRight, Info, Plus, X } from "lucide-react";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { ChangeMark, KindGlyph } from "@/flow";
import { useTeam } from "@/stores/team";
import { useUi } from "@/stores/ui";
import {
  allConnections,
  connectionKey,
  displayName,
  drawnKind,
  findAgent,
  freeKind,
  isCoordinator,
  faceOf,
  KINDS,
  marksOf,
  nothing,
  removeChosen,
  type Agent,
  type ConnectionRef,
  type Topology,
} from "@/topology";
import { Avatar, Checkbox, IconButton, Menu, Select, type MenuItem } from "@/ui";
import { connectAgents, pairName } from "../actions";
import { changeLine, mayBecome } from "../lines";
import { setField, type AgentNotes } from "./use";

/** The kinds a connection may take: its own, and those still free between the two. */
export function kindOptions(t: TFunction, topology: Topology, c: ConnectionRef) {
  const kinds: string[] = KINDS.filter((kind) => kind === c.kind || mayBecome(topology, c, { ...c, kind }));
  if (!kinds.includes(c.kind)) kinds.push(c.kind);
  return kinds.map((kind) => {
    const drawn = drawnKind(kind);
    return {
      value: kind,
      label: drawn === "unknown" ? kind : t(`kind.${drawn}`),
      icon: <KindGlyph kind={drawn} />,
    };
  });
}

export function ConnectionsSection({ agent, notes: _ }: { agent: Agent; notes: AgentNotes }) {
  const { t } = useTranslation();
  const agents = useTeam((s) => s.topology.agents),
    faces = useTeam((s) => s.faces),
    changes = useTeam((s) => s.changes);
  const marks = useMemo(() => marksOf(changes).connections, [changes]);
  const topology = useMemo(() => ({ agents }), [agents]); // moving an agent changes nothing here
  const all = allConnections(topology).filter((c) => c.from === agent.id || c.to === agent.id);
  const free = (a: Agent) => a.id !== agent.id && freeKind(topology, agent.id, a.id);
  const face = (id: string) => <Avatar size="sm" {...faceOf(faces, id)} />;
  /** Computed only when the menu opens: there may be a thousand agents. */
  const others = (): MenuItem[] =>
    topology.agents.filter(free).map((a) => ({
      label: displayName(a),
      lead: face(a.id),
      onSelect: () => {
        const kind = free(a);
        if (kind) connectAgents({ from: agent.id, kind, to: a.id });
      },
    }));
  const any = topology.agents.some(free);
  const commanded =
    all.some((c) => c.to === agent.id && c.kind === "command") ||
    topology.agents.some((a) => a.id !== agent.id && a.allowAny) ||
    isCoordinator(agent.role); // it receives the team's tasks

  return (
    <div className="section border-b-0!">
      <h2>
        <span className="grow">{t("inspector.connections")}</span>
        <Menu
          align="end"
          trigger={
            <IconButton
              icon={Plus}
              size="sm"
              label={any ? t("inspector.addConnection") : t("inspector.allConnected")}
              disabled={!any}
            />
          }
          items={() => [{ kind: "label", label: t("inspector.chooseAgent") }, ...others()]}
        />
      </h2>
      <ul className="-mx-[8px]">
        {all.map((c) => {
          const out = c.from === agent.id,
            other = findAgent(topology, out ? c.to : c.from) ?? { id: out ? c.to : c.from };
          const key = connectionKey(c),
            mark = marks.get(key),
            name = displayName(other);
          return (
            <li key={key} className="trow group gap-1!">
              <KindGlyph kind={drawnKind(c.kind)} />
              {mark && <ChangeMark mark={mark} inline />}
              {out ? (
                <ArrowRight size={14} className="t3" aria-label={t("inspector.out")} />
              ) : (
                <ArrowLeft size={14} className="t3" aria-label={t("inspector.in")} />
              )}
              <button
                type="button"
                className="cut grow text-left hover:underline"
                title={name}
                onClick={() => {
                  useUi.getState().choose({ connections: [key] });
                }}
              >
                {name}
              </button>
              <Select
                quiet
                size="sm"
                label={t(out ? "inspector.kindTo" : "inspector.kindFrom", { name })}
                value={c.kind}
                options={kindOptions(t, topology, c)}
                onValue={(kind) => changeLine(c, { kind })}
              />
              <IconButton
                icon={X}
                size="sm"
                label={t(out ? "inspector.deleteTo" : "inspector.deleteFrom", { name })}
                onClick={() =>
                  useTeam
                    .getState()
                    .edit(`edit.disconnect|${pairName(c)}`, (d) => removeChosen(d, { ...nothing, connections: [key] }))
                }
              />
            </li>
          );
        })}
        {!all.length && (
          <li className="trow t3">
            <span>{t("inspector.noConnections")}</span>
          </li>
        )}
        {!commanded && (
          <li className="trow t3">
            <Info size={14} aria-hidden />
            <span>{t("inspector.nobodyCommands", { name: displayName(agent) })}</span>
          </li>
        )}
      </ul>
      <div className="mt-3">
        <Checkbox
          label={t("inspector.allowAny")}
          hint={t("inspector.allowAnyHint")}
          checked={!!agent.allowAny}
          onChecked={(on) => setField(agent, "allowAny", on, false)}
        />
      </div>
    </div>
  );
}
