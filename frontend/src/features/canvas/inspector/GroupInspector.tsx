import { Group as GroupIcon, LogOut, Trash2, Ungroup, UserX } from "lucide-react";
import { useEffect, useRef, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useTeam } from "@/stores/team";
import { useUi } from "@/stores/ui";
import { displayName, faceOf, findGroup, heldOf, insideOf, nestedIn, takeOut, type Group } from "@/topology";
import { Avatar, Button, Checkbox, Field, IconButton, Input, keysOf, PanelHead, Swatches, useAfterFrame } from "@/ui";
import { deleteChosen } from "../actions";
import { noteHeight } from "../arrange";
import { colorGroup, deleteWithAgents, groupName, renameGroup, setFolded, toggleLock, ungroupChosen } from "../groups";
import { useLimit } from "./useLimit";

/** A group's properties and members. */
export function GroupInspector({ group, close }: { group: Group; close?: ReactNode }) {
  const { t } = useTranslation();
  const topology = useTeam((s) => s.topology),
    ask = useUi((s) => s.focusField);
  const name = useRef<HTMLInputElement>(null);
  const limit = useLimit();
  const rename = useAfterFrame((v: string) => {
    if (limit.fits(v)) renameGroup(group.id, v);
  });
  useEffect(() => {
    if (ask?.field === "name") {
      name.current?.focus();
      name.current?.select();
      useUi.getState().fieldFocused();
    }
  }, [ask]);
  const inside = insideOf(topology, group.id),
    parent = findGroup(topology, group.parent);
  return (
    <>
      <PanelHead>
        <GroupIcon size={16} aria-hidden />
        <span className="col grow leading-[1.3]">
          <b className="cut" title={groupName(group)}>
            {groupName(group)}
          </b>
          <span className="cap cut">
            {parent ? t("grouping.inside", { name: groupName(parent) }) : t("group.count", { count: inside.length })}
          </span>
        </span>
        {close}
      </PanelHead>
      <div className="scroll">
        <div className="section">
          <Field label={t("field.name")} error={limit.error}>
            {(ids) => (
              <Input {...ids} ref={name} value={group.name ?? ""} placeholder={t("group.unnamed")} onText={rename} />
            )}
          </Field>
          <Swatches
            label={t("grouping.color")}
            value={group.color ?? 0}
            none={t("grouping.noColor")}
            nameOf={(n) => t("grouping.colorN", { n })}
            onValue={(n) => colorGroup(group.id, n)}
          />
          <div className="col gap-2 pt-1">
            <Checkbox
              label={t("grouping.folded")}
              hint={t("grouping.foldedHint")}
              checked={!!group.collapsed}
              onChecked={(on) => setFolded(group.id, on)}
            />
            <Checkbox
              label={t("lock.locked")}
              hint={t("lock.groupHint")}
              checked={!!group.locked}
              onChecked={() => void toggleLock()}
            />
          </div>
        </div>
        <Members group={group} />
        <div className="row flex-wrap pad">
          <Button icon={Ungroup} keys={keysOf("ungroup")} onClick={() => ungroupChosen([group.id])}>
            {t("group.ungroup")}
          </Button>
          <Button tone="danger" icon={Trash2} onClick={deleteChosen}>
            {t("group.delete")}
          </Button>
          <Button
            tone="danger"
            icon={UserX}
            disabled={heldOf(topology).groups.has(group.id)}
            onClick={() => deleteWithAgents(group.id)}
          >
            {t("group.deleteWith", { count: inside.length })}
          </Button>
        </div>
      </div>
    </>
  );
}

function Members({ group }: { group: Group }) {
  const { t } = useTranslation();
  const topology = useTeam((s) => s.topology),
    faces = useTeam((s) => s.faces),
    edit = useTeam((s) => s.edit),
    choose = useUi((s) => s.choose);
  const members = topology.agents.filter((a) => group.members?.includes(a.id)),
    inner = nestedIn(topology, group.id);
  return (
    <div className="section">
      <h2>
        <span className="grow">{t("grouping.members")}</span>
      </h2>
      <ul className="-mx-[8px]">
        {inner.map((g) => (
          <li key={g.id}>
            <button type="button" className="trow" onClick={() => choose({ groups: [g.id] })}>
              <GroupIcon size={16} aria-hidden />
              <b className="cut grow text-left">{groupName(g)}</b>
              <span className="cap num">{insideOf(topology, g.id).length}</span>
            </button>
          </li>
        ))}
        {members.map((a) => (
          <li key={a.id} className="trow">
            <Avatar size="sm" {...faceOf(faces, a.id)} />
            <button
              type="button"
              className="cut grow text-left hover:underline"
              title={displayName(a)}
              onClick={() => {
                choose({ agents: [a.id] });
                useUi.getState().revealAgents([a.id]);
              }}
            >
              {displayName(a)}
            </button>
            <IconButton
              icon={LogOut}
              size="sm"
              label={t("grouping.takeOut", { name: displayName(a) })}
              onClick={() => edit(`edit.outOfGroup|${displayName(a)}`, (d) => takeOut(d, a.id, noteHeight))}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}
