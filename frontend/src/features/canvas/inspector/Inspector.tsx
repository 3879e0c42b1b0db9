import {
  ClipboardList,
  Copy,
  Ellipsis,
  LockKeyhole,
  LockKeyholeOpen,
  MousePointerClick,
  Spline,
  StickyNote,
  Trash2,
  Workflow,
} from "lucide-react";
import { memo, Suspense, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { fetched } from "@/stores/fetched";
import { useTeam } from "@/stores/team";
import { askForTask } from "@/stores/taskDraft";
import { useUi } from "@/stores/ui";
import {
  allConnections,
  chosenCount,
  connectionKey,
  displayName,
  findAgent,
  findGroup,
  faceOf,
  LIMITS,
  updateNote,
  type Agent,
  type Note,
} from "@/topology";
import {
  Avatar,
  Badge,
  Button,
  Checkbox,
  EmptyState,
  Field,
  IconButton,
  keysOf,
  Menu,
  PanelHead,
  Skeleton,
  Swatches,
  Tabs,
  Textarea,
  useAfterFrame,
} from "@/ui";
import { deleteChosen, duplicateChosen, layOut } from "../actions";
import { startConnecting } from "../connecting";
import { toggleLock } from "../groups";
import { ConnectionInspector } from "./ConnectionInspector";
import { GeneralTab, PersonaTab } from "./GeneralTab";
import { GroupInspector } from "./GroupInspector";
import { MultiInspector } from "./MultiInspector";
import { ToolsTab } from "./ToolsTab";
import { useAgentNotes } from "./use";
import { useLimit } from "./useLimit";

const AllSettings = fetched(() => import("./settings/AllSettings").then((m) => m.AllSettings));
const EveryoneInspector = fetched(() => import("./settings/Everyone").then((m) => m.EveryoneInspector));
const FilesTab = fetched(() => import("./FilesTab").then((m) => m.FilesTab));
const ScheduleTab = fetched(() => import("./schedule/ScheduleTab").then((m) => m.ScheduleTab));

/** The panel about what is chosen. `idle` stands there while nothing is. */
export function Inspector({ idle, close, viewOnly }: { idle?: ReactNode; close?: ReactNode; viewOnly?: boolean }) {
  const { t } = useTranslation();
  const chosen = useUi((s) => s.chosen),
    topology = useTeam((s) => s.topology);
  const count = chosenCount(chosen);
  const agent = chosen.agents[0] === undefined ? undefined : findAgent(topology, chosen.agents[0]);
  const connection =
    chosen.connections[0] === undefined
      ? undefined
      : allConnections(topology).find((c) => connectionKey(c) === chosen.connections[0]);
  const note = topology.notes?.find((n) => n.id === chosen.notes[0]);
  if (chosen.everyone) return <EveryoneInspector close={close} viewOnly={viewOnly} />;
  if (count > 1)
    return (
      <ReadOnly on={viewOnly}>
        <MultiInspector chosen={chosen} close={close} />
      </ReadOnly>
    );
  if (agent) return <AgentInspector key={agent.id} agent={agent} close={close} viewOnly={viewOnly} />;
  if (connection)
    return (
      <ConnectionInspector key={chosen.connections[0]} connection={connection} close={close} viewOnly={viewOnly} />
    );
  const group = findGroup(topology, chosen.groups[0]);
  const other = group ? (
    <GroupInspector key={group.id} group={group} close={close} />
  ) : note ? (
    <NoteInspector key={note.id} note={note} close={close} />
  ) : undefined;
  if (other) return <ReadOnly on={viewOnly}>{other}</ReadOnly>;
  return (
    idle ?? (
      <div className="grid h-full place-items-center">
        <EmptyState icon={MousePointerClick} title={t("inspector.empty")}>
          {t("inspector.emptyWhy")}
        </EmptyState>
      </div>
    )
  );
}

/** What can only be read on a phone. */
function ReadOnly({ on, children }: { on?: boolean; children: ReactNode }) {
  return on ? (
    <fieldset disabled className="col h-full min-h-0">
      {children}
    </fieldset>
  ) : (
    children
  );
}

/** Memoized: otherwise React sets all of its fields again whenever something else is rendered. */
const AgentInspector = memo(function AgentInspector({
  agent,
  close,
  viewOnly,
}: {
  agent: Agent;
  close?: ReactNode;
  viewOnly?: boolean;
}) {
  const { t } = useTranslation();
  const notes = useAgentNotes(agent.id);
  const faces = useTeam((s) => s.faces),
    locked = useTeam((s) => !!s.topology.layout?.[agent.id]?.locked);
  const tab = useUi((s) => s.inspectorTab),
    setTab = useUi((s) => s.setTab);
  const read = (tab: ReactNode) => (viewOnly ? <fieldset disabled>{tab}</fieldset> : tab);
  const tools = (agent.tools?.allow?.length ?? 0) + (agent.tools?.deny?.length ?? 0);
  return (
    <>
      <PanelHead>
        <Avatar {...faceOf(faces, agent.id)} />
        <span className="col grow leading-[1.3]">
          <b className="cut" title={displayName(agent)}>
            {displayName(agent)}
          </b>
          <span className="cap mono cut">{agent.id}</span>
        </span>
        {notes.changes > 0 && <Badge tone="chg">{t("inspector.changes", { count: notes.changes })}</Badge>}
        {!viewOnly && (
          <Menu
            align="end"
            trigger={<IconButton icon={Ellipsis} label={t("common.more")} />}
            items={[
              {
                label: t("canvas.connect"),
                icon: Spline,
                keys: keysOf("connect"),
                onSelect: () => startConnecting(agent.id, true),
              },
              { label: t("work.give"), icon: ClipboardList, onSelect: () => askForTask(agent.id) },
              { label: t("common.duplicate"), icon: Copy, keys: keysOf("duplicate"), onSelect: duplicateChosen },
              {
                label: t(locked ? "lock.unlock" : "lock.lock"),
                icon: locked ? LockKeyholeOpen : LockKeyhole,
                keys: keysOf("lock"),
                onSelect: () => void toggleLock(),
              },
              { label: t("canvas.layOut"), icon: Workflow, onSelect: () => void layOut() },
              { kind: "separator" },
              { label: t("common.delete"), icon: Trash2, keys: keysOf("remove"), danger: true, onSelect: deleteChosen },
            ]}
          />
        )}
        {close}
      </PanelHead>
      <Tabs
        label={t("inspector.label")}
        value={tab}
        onValue={setTab}
        tabs={[
          {
            value: "general",
            label: t("inspector.general"),
            content: read(<GeneralTab agent={agent} notes={notes} />),
          },
          { value: "persona", label: t("field.persona"), content: read(<PersonaTab agent={agent} notes={notes} />) },
          { value: "files", label: t("field.files"), content: read(<FilesTab agent={agent} notes={notes} />) },
          {
            value: "tools",
            label: t("field.tools"),
            count: tools || undefined,
            content: read(<ToolsTab agent={agent} notes={notes} />),
          },
          {
            value: "settings",
            label: t("agentSettings.tab"),
            content: (
              <Suspense fallback={<Skeleton lines={8} label={t("agentSettings.loading")} />}>
                <AllSettings agent={agent} notes={notes} viewOnly={viewOnly} />
              </Suspense>
            ),
          },
          { value: "schedule", label: t("schedule.tab"), content: <ScheduleTab agent={agent} /> },
        ]}
      />
    </>
  );
});

function NoteInspector({ note, close }: { note: Note; close?: ReactNode }) {
  const { t } = useTranslation();
  const edit = useTeam((s) => s.edit);
  const limit = useLimit(LIMITS.persona);
  const write = useAfterFrame((text: string) => {
    if (limit.fits(text))
      edit("edit.note", (d) => updateNote(d, note.id, { text }), { typing: true, coalesce: `note:${note.id}` });
  });
  return (
    <>
      <PanelHead>
        <StickyNote size={16} aria-hidden />
        <b className="grow">{t("inspector.note")}</b>
        {close}
      </PanelHead>
      <div className="scroll pad">
        <Field label={t("inspector.noteText")} error={limit.error}>
          {(ids) => <Textarea {...ids} rows={6} value={note.text} onText={write} />}
        </Field>
        <Swatches
          label={t("grouping.color")}
          value={note.color ?? 0}
          none={t("grouping.noColor")}
          nameOf={(n) => t("grouping.colorN", { n })}
          onValue={(color) => edit("edit.note", (d) => updateNote(d, note.id, { color: color || undefined }))}
        />
        <Checkbox
          label={t("lock.locked")}
          hint={t("lock.noteHint")}
          checked={!!note.locked}
          onChecked={() => void toggleLock()}
        />
        <div className="row pt-2">
          <Button tone="danger" icon={Trash2} onClick={deleteChosen}>
            {t("common.delete")}
          </Button>
        </div>
      </div>
    </>
  );
}
