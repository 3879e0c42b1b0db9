import { Handle, Position, type NodeProps } from "@xyflow/react";
import { CircleX, TriangleAlert } from "lucide-react";
import { memo } from "react";
import { cx } from "../ui";
import { useFar, useFlowActions } from "./context";
import { PlainHandles } from "./Handles";
import type { ChannelFlowNode } from "./flowPicture";

/** An account of a channel: which messages come here, and whether somebody answers them. */
export const ChannelNode = memo(function ChannelNode({ id, data }: NodeProps<ChannelFlowNode>) {
  const far = useFar(),
    { targets } = useFlowActions();
  const Icon = data.tone === "failed" ? CircleX : data.tone === "waiting" ? TriangleAlert : undefined;
  return (
    <div
      className={cx("lane-card", `s-${data.tone}`, far && "lane-card--far", targets && "is-dim", data.dim && "is-dim")}
    >
      <span className="lane-name">
        <b title={data.channel}>{data.channel}</b>
        {data.account && !far && <small title={data.account}>{data.account}</small>}
      </span>
      {!far && (
        <span className="lane-foot" title={data.foot}>
          {Icon && <Icon size={12} className="flex-none" aria-hidden />}
          <span>{data.foot}</span>
        </span>
      )}
      {far ? <PlainHandles node={id} /> : <Handle id="r" type="source" position={Position.Right} className="handle" />}
    </div>
  );
});
