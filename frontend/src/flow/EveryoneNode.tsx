import type { NodeProps } from "@xyflow/react";
import { CircleX, Users } from "lucide-react";
import { memo } from "react";
import { cx } from "../ui";
import { ChangeMark } from "./ChangeMark";
import { useFar, useFlowActions } from "./context";
import type { EveryoneFlowNode } from "./flowPicture";

/** What every agent inherits: a band above the team. Far away only its name. */
export const EveryoneNode = memo(function EveryoneNode({ data }: NodeProps<EveryoneFlowNode>) {
  const far = useFar(),
    { targets } = useFlowActions();
  const { title, sets, count, fault, mark, fill } = data;
  return (
    <div
      className={cx("everyone", far && "everyone--far", targets && "is-dim", fill && mark && `d-${mark}`)}
      data-mark={mark}
    >
      {mark && <ChangeMark mark={mark} />}
      <Users size={far ? 28 : 18} className="flex-none" aria-hidden />
      <span className="everyone-text">
        <span className="everyone-name">
          <b>{title}</b>
          {!far && count && <small>{count}</small>}
        </span>
        {!far && (
          <small className={fault ? "s-failed sc" : undefined} title={fault ?? sets}>
            {fault && <CircleX size={12} className="flex-none" aria-hidden />}
            <span>{fault ?? sets}</span>
          </small>
        )}
      </span>
    </div>
  );
});
