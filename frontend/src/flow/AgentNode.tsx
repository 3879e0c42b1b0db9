import { Handle, useStore, type NodeProps } from "@xyflow/react";
import { CircleDashed, CircleX, LockKeyhole } from "lucide-react";
import { memo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { heartbeatOf } from "../topology";
import { Avatar, cx } from "../ui";
import { ChangeMark } from "./ChangeMark";
import { ClockMark } from "./ClockMark";
import { useFar, useFlowActions } from "./context";
import { handlePlaces, PlainHandles } from "./Handles";
import { NameInput } from "./NameInput";
import type { AgentFlowNode } from "./flowPicture";
import { useAtWork, WorkFoot, workTone } from "./work";

/** An agent: who, which model, and one line on how it stands. Far away only its color and name. */
export const AgentNode = memo(function AgentNode({ id, data }: NodeProps<AgentFlowNode>) {
  const far = useFar();
  const { naming, rename, endNaming, nameNext, targets, aimed } = useFlowActions();
  const state = cx(
    targets && (targets.has(id) ? aimed === id && "is-target" : "is-dim"),
    data.dim && "is-dim",
    data.path && "is-path",
  );
  const at = useAtWork(id),
    work =
      at && (at.state === "running" || at.question || (!data.mark && data.foot.status === "idle")) ? at : undefined;
  if (far) {
    return (
      <div
        className={cx("node node--far", state, data.mark === "del" && "is-dim")}
        style={{ background: `var(--id-${data.color})`, color: `var(--id-${data.color}-on)` }}
      >
        {data.name}
        {naming === id && (
          <Near>
            <NameInput
              name={data.agent.name ?? ""}
              label={data.name}
              onName={(name) => rename?.(id, name)}
              onEnd={endNaming}
              onNext={nameNext && ((back) => nameNext(id, back))}
            />
          </Near>
        )}
        {data.mark ? (
          <ChangeMark mark={data.mark} />
        ) : (
          work && work.state !== "done" && work.state !== "canceled" && <i className={`node-dot s-${work.state}`} />
        )}
        <PlainHandles node={id} />
      </div>
    );
  }
  const Icon = data.foot.status === "failed" ? CircleX : data.foot.status === "idle" ? CircleDashed : undefined;
  return (
    <div
      className={cx(
        "node",
        `s-${work ? workTone(work) : data.foot.status}`,
        state,
        data.fill && data.mark && ` d-${data.mark}`,
      )}
      data-mark={data.mark}
    >
      {data.mark && <ChangeMark mark={data.mark} />}
      <div className="node-head">
        <Avatar initials={data.initials} color={data.color} />
        <span className="node-name">
          {naming === id ? (
            <NameInput
              name={data.agent.name ?? ""}
              label={data.name}
              onName={(name) => rename?.(id, name)}
              onEnd={endNaming}
              onNext={nameNext && ((back) => nameNext(id, back))}
            />
          ) : (
            <b title={data.name}>{data.name}</b>
          )}
          <small className="mono" title={data.model}>
            {data.model}
          </small>
        </span>
        <ClockMark agent={id} every={heartbeatOf(data.agent)} />
        {data.locked && <LockMark />}
      </div>
      {work ? (
        <WorkFoot work={work} />
      ) : (
        <div className="node-foot" title={data.foot.text}>
          {Icon && <Icon size={12} className="flex-none" aria-hidden />}
          <span>{data.foot.text}</span>
        </div>
      )}
      {handlePlaces.map(([side, position]) => (
        <Handle key={side} id={side} type="source" position={position} className="handle" />
      ))}
    </div>
  );
});

/** What is written in stays as large as it is read, however far the drawing is. */
function Near({ children }: { children: ReactNode }) {
  const zoom = useStore((s) => s.transform[2]);
  return (
    <span className="near" style={{ scale: String(1 / (zoom || 1)) }}>
      {children}
    </span>
  );
}

function LockMark() {
  const { t } = useTranslation();
  return <LockKeyhole size={12} className="t3 flex-none self-start mt-2" aria-label={t("lock.locked")} />;
}
