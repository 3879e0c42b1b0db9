import { Suspense, type ReactNode } from "react";
import { ArrowLeftRight, Trash2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { KindGlyph } from "@/flow";
import { fetched } from "@/stores/fetched";
import { useTarget, useTeam } from "@/stores/team";
import { useUi } from "@/stores/ui";
import {
  changeConnection,
  connectionKey,
  displayName,
  drawnKind,
  findAgent,
  faceOf,
  type ConnectionRef,
} from "@/topology";
import { Avatar, Button, Field, Input, keysOf, PanelHead, Select, useAfterFrame } from "@/ui";
import { deleteChosen, pairName } from "../actions";
import { backwards, changeLine, mayBecome, reverse } from "../lines";
import { kindOptions } from "./ConnectionsSection";
import { said } from "./TextField";
import { useLimit } from "./useLimit";

const Delegation = fetched(() => import("./settings/Delegation").then((m) => m.Delegation));
const MessagePermission = fetched(() => import("./messages/MessagePermission").then((m) => m.MessagePermission));

export function ConnectionInspector({
  connection: c,
  close,
  viewOnly,
}: {
  connection: ConnectionRef & { label?: string };
  close?: ReactNode;
  viewOnly?: boolean;
}) {
  const { t } = useTranslation();
  const topology = useTeam((s) => s.topology),
    faces = useTeam((s) => s.faces),
    problems = useTeam((s) => s.problems);
  const edit = useTeam((s) => s.edit),
    target = useTarget();
  const limit = useLimit();
  const relabel = useAfterFrame((label: string) => {
    if (limit.fits(label))
      edit(`edit.connection|${pairName(c)}`, (d) => changeConnection(d, c, { label }), {
        typing: true,
        coalesce: `${connectionKey(c)}:label`,
      });
  });
  const problem = problems.find((p) => p.agent === c.from && p.target === c.to && (!p.kind || p.kind === c.kind));
  const end = (label: string, id: string) => {
    const a = findAgent(topology, id) ?? { id };
    return (
      <button
        type="button"
        className="lrow"
        onClick={() => {
          useUi.getState().choose({ agents: [id] });
          useUi.getState().revealAgents([id]);
        }}
      >
        <span className="cap w-14">{label}</span>
        <Avatar size="sm" {...faceOf(faces, id)} />
        <b className="cut">{displayName(a)}</b>
      </button>
    );
  };
  return (
    <>
      <PanelHead>
        <KindGlyph kind={drawnKind(c.kind)} />
        <b className="cut grow">{t("inspector.connectionTitle")}</b>
        {close}
      </PanelHead>
      <div className="scroll">
        <fieldset disabled={viewOnly}>
          <div className="px-1 py-2">
            {end(t("inspector.from"), c.from)}
            {end(t("inspector.to"), c.to)}
          </div>
          <div className="section border-t border-line">
            <Field label={t("field.kind")} {...said(t, problem)}>
              {(ids) => (
                <Select
                  id={ids.id}
                  value={c.kind}
                  options={kindOptions(t, topology, c)}
                  onValue={(kind) => changeLine(c, { kind })}
                />
              )}
            </Field>
            <Field label={t("inspector.label2")} error={limit.error}>
              {(ids) => (
                <Input {...ids} value={c.label ?? ""} placeholder={t("inspector.labelPlaceholder")} onText={relabel} />
              )}
            </Field>
          </div>
          {c.kind === "communication" && target && !target.builtin && (
            <Suspense>
              <MessagePermission connection={c} />
            </Suspense>
          )}
          <div className="row flex-wrap pad">
            <Button
              icon={ArrowLeftRight}
              keys={keysOf("reverse")}
              disabled={!mayBecome(topology, c, backwards(c))}
              onClick={() => reverse(c)}
            >
              {t("inspector.reverse")}
            </Button>
            <Button tone="danger" icon={Trash2} keys={keysOf("remove")} onClick={deleteChosen}>
              {t("common.delete")}
            </Button>
          </div>
        </fieldset>
        {c.kind === "command" && target && !target.builtin && (
          <Suspense>
            <Delegation connection={c} viewOnly={viewOnly} />
          </Suspense>
        )}
      </div>
    </>
  );
}
