import { Cpu, Locate, UserRound, Wrench, type LucideIcon } from "lucide-react";
import { Popover } from "radix-ui";
import { useEffect, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useTeam } from "@/stores/team";
import { useModels, useOwnModels } from "@/stores/models";
import { useUi } from "@/stores/ui";
import { updateAgents, type AgentID, type Topology } from "@/topology";
import { Button, Combobox, Field, IconButton, Input, isEnter, Segmented, Textarea } from "@/ui";
import { editTools, type ToolEdit } from "./rows";

const edit = useTeam.getState().edit;

/** Changes all chosen agents at once; each change is one step of undo. */
export function BulkBar({ ids }: { ids: readonly AgentID[] }) {
  const { t } = useTranslation();
  const who = t("inspector.agents", { count: ids.length });
  const put = (field: "model" | "role" | "tools", change: (d: Topology) => Topology) =>
    edit(`edit.${field}|${who}`, change);
  return (
    <div className="agents-bulk" role="toolbar" aria-label={t("agents.bulk")}>
      <b className="num cut grow" aria-live="polite">
        {t("inspector.chosen", { count: ids.length })}
      </b>
      <IconButton
        icon={Locate}
        size="sm"
        label={t("agents.reveal")}
        onClick={() => useUi.getState().revealAgents([...ids])}
      />
      <Ask icon={Cpu} label={t("field.model")}>
        {(close) => (
          <ModelForm
            onApply={(model) => {
              put("model", (d) => updateAgents(d, [...ids], { model }));
              close();
            }}
          />
        )}
      </Ask>
      <Ask icon={UserRound} label={t("field.role")}>
        {(close) => (
          <RoleForm
            onApply={(role) => {
              put("role", (d) => updateAgents(d, [...ids], { role }));
              close();
            }}
          />
        )}
      </Ask>
      <Ask icon={Wrench} label={t("field.tools")}>
        {(close) => (
          <ToolsForm
            onApply={(e) => {
              put("tools", (d) => editTools(d, ids, e));
              close();
            }}
          />
        )}
      </Ask>
    </div>
  );
}

function Ask({
  icon,
  label,
  children,
}: {
  icon: LucideIcon;
  label: string;
  children: (close: () => void) => ReactNode;
}) {
  const [open, setOpen] = useState(false);
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger asChild>
        <Button size="sm" icon={icon}>
          {label}
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="menu p-3! w-72"
          role="dialog"
          aria-label={label}
          side="top"
          align="end"
          sideOffset={6}
          collisionPadding={{ top: 8, right: 8, bottom: 8, left: 72 }}
        >
          {children(() => setOpen(false))}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

function ModelForm({ onApply }: { onApply: (model: string) => void }) {
  const { t } = useTranslation();
  const { state, load } = useModels(),
    models = useOwnModels();
  const [model, setModel] = useState("");
  useEffect(() => {
    if (state === "none") void load();
  }, [state, load]);
  return (
    <form
      onSubmit={(e) => {
        e.preventDefault();
        onApply(model.trim());
      }}
    >
      <Field label={t("inspector.modelFor")}>
        {(id) => (
          <Combobox
            {...id}
            icon={Cpu}
            value={model}
            onText={setModel}
            options={models.map((m) => ({ value: m.id, label: m.name, group: m.provider }))}
            placeholder={t("inspector.modelPlaceholder")}
            onOpen={() => void load()}
            emptyText={t("inspector.noModels")}
            moreText={(n, all) => t("common.someOf", { n, all })}
            openLabel={t("inspector.showModels")}
          />
        )}
      </Field>
      <Button tone="main" onClick={() => onApply(model.trim())}>
        {t("agents.set")}
      </Button>
    </form>
  );
}

function RoleForm({ onApply }: { onApply: (role: string) => void }) {
  const { t } = useTranslation();
  const [role, setRole] = useState("");
  return (
    <>
      <Field label={t("inspector.roleFor")}>
        {(id) => (
          <Input
            {...id}
            autoFocus
            value={role}
            placeholder={t("inspector.rolePlaceholder")}
            onText={setRole}
            onKeyDown={(e) => {
              if (isEnter(e)) onApply(role.trim());
            }}
          />
        )}
      </Field>
      <Button tone="main" onClick={() => onApply(role.trim())}>
        {t("agents.set")}
      </Button>
    </>
  );
}

function ToolsForm({ onApply }: { onApply: (e: ToolEdit) => void }) {
  const { t } = useTranslation();
  const [list, setList] = useState<"allow" | "deny">("allow"),
    [how, setHow] = useState<"add" | "remove" | "set">("add"),
    [text, setText] = useState("");
  const names = text
    .split(/[\n,]/)
    .map((n) => n.trim())
    .filter(Boolean);
  return (
    <div className="col gap-2">
      <Segmented
        size="sm"
        label={t("agents.tools.which")}
        value={list}
        onValue={setList}
        options={(["allow", "deny"] as const).map((value) => ({ value, label: t(`inspector.${value}`) }))}
      />
      <Segmented
        size="sm"
        label={t("agents.tools.how")}
        value={how}
        onValue={setHow}
        options={(["add", "remove", "set"] as const).map((value) => ({ value, label: t(`agents.tools.${value}`) }))}
      />
      <Field label={t("field.tools")} hint={t("inspector.toolsHint")}>
        {(id) => <Textarea {...id} mono rows={2} grow={160} value={text} onText={setText} />}
      </Field>
      <div className="row justify-between">
        <Button onClick={() => onApply("default")}>{t("inspector.toolsDefault")}</Button>
        <Button tone="main" disabled={!names.length && how !== "set"} onClick={() => onApply({ list, how, names })}>
          {t("agents.set")}
        </Button>
      </div>
    </div>
  );
}
