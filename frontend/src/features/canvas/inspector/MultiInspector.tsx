import { Suspense, useMemo, type ReactNode } from "react";
import { Copy, Group, LockKeyhole, LockKeyholeOpen, Trash2, Workflow } from "lucide-react";
import { useTranslation } from "react-i18next";
import { fetched } from "@/stores/fetched";
import { useTeam } from "@/stores/team";
import { allLocked, chosenCount, displayName, faceOf, updateAgents, type Agent, type Chosen } from "@/topology";
import { Avatar, Button, Field, Input, keysOf, PanelHead, Skeleton } from "@/ui";
import { deleteChosen, duplicateChosen, layOutChosen } from "../actions";
import { canAlign } from "../arrange";
import { canGroup, groupChosen, toggleLock } from "../groups";
import { ArrangeTools } from "./ArrangeTools";
import { ModelField } from "./ModelField";
import { useLimit } from "./useLimit";

const SettingsOfSeveral = fetched(() => import("./settings/Several").then((m) => m.SettingsOfSeveral));

const shared = (agents: Agent[], f: "model" | "role") =>
  agents.every((a) => (a[f] ?? "") === (agents[0]?.[f] ?? "")) ? (agents[0]?.[f] ?? "") : undefined;

/** Several things at once: what they have in common can be set for all. */
export function MultiInspector({ chosen, close }: { chosen: Chosen; close?: ReactNode }) {
  const { t } = useTranslation();
  const topology = useTeam((s) => s.topology),
    faces = useTeam((s) => s.faces),
    edit = useTeam((s) => s.edit);
  const agents = useMemo(() => {
    const ids = new Set(chosen.agents);
    return topology.agents.filter((a) => ids.has(a.id));
  }, [topology.agents, chosen.agents]);
  const limit = useLimit();
  const movable = agents.length + chosen.notes.length + chosen.groups.length > 0,
    locked = allLocked(topology, chosen);
  const model = shared(agents, "model"),
    role = shared(agents, "role");
  const set = (field: "model" | "role", value: string) =>
    edit(
      `edit.${field}|${t("inspector.agents", { count: agents.length })}`,
      (d) =>
        updateAgents(
          d,
          agents.map((a) => a.id),
          { [field]: value },
        ),
      { typing: true, coalesce: `many:${field}:${chosen.agents.join(",")}` },
    );
  return (
    <>
      <PanelHead>
        <b className="grow">{t("inspector.chosen", { count: chosenCount(chosen) })}</b>
        {close}
      </PanelHead>
      <div className="scroll">
        {canAlign(chosen) && (
          <div className="section">
            <ArrangeTools chosen={chosen} />
          </div>
        )}
        {agents.length > 0 && (
          <div className="section">
            <div className="mb-3 flex flex-wrap gap-1">
              {agents.slice(0, 24).map((a) => (
                <span key={a.id} title={displayName(a)}>
                  <Avatar size="sm" {...faceOf(faces, a.id)} />
                </span>
              ))}
            </div>
            <ModelField
              label={t("inspector.modelFor")}
              value={model ?? ""}
              placeholder={model === undefined ? t("inspector.mixed") : undefined}
              onText={(v) => set("model", v)}
            />
            <Field label={t("inspector.roleFor")} error={limit.error}>
              {(ids) => (
                <Input
                  {...ids}
                  value={role ?? ""}
                  placeholder={role === undefined ? t("inspector.mixed") : t("inspector.rolePlaceholder")}
                  onText={(v) => {
                    if (limit.fits(v)) set("role", v);
                  }}
                />
              )}
            </Field>
          </div>
        )}
        <div className="row flex-wrap pad">
          {agents.length + chosen.groups.length > 0 && (
            <Button icon={Workflow} onClick={layOutChosen}>
              {t("canvas.layOut")}
            </Button>
          )}
          {canGroup(chosen) && (
            <Button icon={Group} keys={keysOf("makeGroup")} onClick={() => void groupChosen()}>
              {t("group.group")}
            </Button>
          )}
          {movable && (
            <Button icon={locked ? LockKeyholeOpen : LockKeyhole} onClick={() => void toggleLock()}>
              {t(locked ? "lock.unlock" : "lock.lock")}
            </Button>
          )}
          {movable && (
            <Button icon={Copy} onClick={duplicateChosen}>
              {t("common.duplicate")}
            </Button>
          )}
          <Button tone="danger" icon={Trash2} onClick={deleteChosen}>
            {t("common.delete")}
          </Button>
        </div>
        {agents.length > 1 && (
          <section aria-label={t("agentSettings.several", { count: agents.length })} className="border-t border-line">
            <Suspense fallback={<Skeleton lines={8} label={t("common.loading")} />}>
              <SettingsOfSeveral key={chosen.agents.join(",")} agents={agents} />
            </Suspense>
          </section>
        )}
      </div>
    </>
  );
}
