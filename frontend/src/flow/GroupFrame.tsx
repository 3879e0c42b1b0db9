import { useStore, type NodeProps } from "@xyflow/react";
import { ChevronDown, Group as GroupIcon, LockKeyhole, Maximize2 } from "lucide-react";
import { memo, type CSSProperties } from "react";
import { useTranslation } from "react-i18next";
import { Avatar, cx } from "../ui";
import { ChangeMark } from "./ChangeMark";
import { useFar, useFlowActions } from "./context";
import type { FoldedFlowNode, GroupData, GroupFlowNode } from "./frames";
import { PlainHandles } from "./Handles";
import { NameInput } from "./NameInput";

const tint = (color: number | undefined) =>
  color && color <= 12
    ? ({ "--frame": `var(--id-${color})`, "--frame-on": `var(--id-${color}-on)` } as CSSProperties)
    : undefined;

function FoldButton({ id, folded }: { id: string; folded?: boolean }) {
  const { t } = useTranslation();
  const { fold } = useFlowActions();
  if (!fold) return null;
  const label = t(folded ? "group.unfold" : "group.fold"),
    Icon = folded ? Maximize2 : ChevronDown;
  return (
    <button
      type="button"
      className="frame-tool nodrag nopan"
      aria-label={label}
      title={label}
      tabIndex={-1}
      onClick={(e) => {
        e.stopPropagation();
        fold(id, !folded);
      }}
      onDoubleClick={(e) => e.stopPropagation()}
    >
      <Icon size={12} aria-hidden />
    </button>
  );
}

/** The name of a group, or a field for it. */
function GroupName({ data }: { data: GroupData }) {
  const { t } = useTranslation();
  const { framing, renameGroup, endFraming } = useFlowActions();
  const { group } = data,
    name = group.name || t("group.unnamed");
  if (framing === group.id)
    return (
      <NameInput
        className="frame-input"
        name={group.name ?? ""}
        label={t("group.name")}
        onName={(n) => renameGroup?.(group.id, n)}
        onEnd={endFraming}
      />
    );
  return (
    <b className="cut" title={name}>
      {name}
    </b>
  );
}

/** A frame around agents, with its name on it. Far away the name stands above, as large as it is read. */
export const GroupFrame = memo(function GroupFrame({ data }: NodeProps<GroupFlowNode>) {
  const far = useFar();
  const { t } = useTranslation();
  const { dropInto, startFraming } = useFlowActions();
  const scale = useStore((s) => (far ? Math.round(s.transform[2] * 40) / 40 || 0.025 : 1));
  const { group, mark } = data;
  return (
    <div
      className={cx(
        "frame",
        !!group.color && "frame--tinted",
        dropInto === group.id && "is-target",
        mark && `d-${mark}`,
        data.dim && "is-dim",
      )}
      style={tint(group.color)}
      data-group={group.id}
      data-mark={mark}
    >
      {mark && <ChangeMark mark={mark} />}
      <div
        className={cx("frame-head", far && "frame-head--far")}
        style={far ? { fontSize: 12 / scale } : undefined}
        onDoubleClick={startFraming && (() => startFraming(group.id))}
      >
        {!!group.color && <i className="frame-dot" aria-hidden />}
        <GroupName data={data} />
        <span className="frame-count num">{data.count}</span>
        {group.locked && <LockKeyhole size="1em" className="flex-none" aria-label={t("lock.locked")} />}
        {!far && <FoldButton id={group.id} />}
      </div>
    </div>
  );
});

/** A group folded to one node: its name, how many are inside and their faces. */
export const FoldedGroup = memo(function FoldedGroup({ id, data }: NodeProps<FoldedFlowNode>) {
  const { t } = useTranslation();
  const far = useFar();
  const { group, mark, count, faces } = data;
  if (far)
    return (
      <div className={cx("node node--far folded", data.dim && "is-dim")} style={tint(group.color)}>
        {group.name || t("group.unnamed")}
        <PlainHandles node={id} />
      </div>
    );
  return (
    <div
      className={cx("node folded", mark && `d-${mark}`, data.holds && "is-holding", data.dim && "is-dim")}
      style={tint(group.color)}
      data-group={group.id}
      data-mark={mark}
    >
      {mark && <ChangeMark mark={mark} />}
      <div className="node-head">
        <span className="ava folded-face" aria-hidden>
          <GroupIcon size={16} />
        </span>
        <span className="node-name">
          <GroupName data={data} />
          <small>{t("group.count", { count })}</small>
        </span>
        {group.locked && <LockKeyhole size={12} className="t3 flex-none" aria-label={t("lock.locked")} />}
        <FoldButton id={group.id} folded />
      </div>
      <div className="node-foot">
        {faces.map((f) => (
          <Avatar key={f.id} size="sm" initials={f.initials} color={f.color} />
        ))}
        {count > faces.length && <span className="num t3">+{count - faces.length}</span>}
      </div>
      <PlainHandles node={id} />
    </div>
  );
});
